// SPDX-License-Identifier: Apache-2.0
#include "plot/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <exception>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crema/base/error.h"

namespace crema::plot {
namespace {

constexpr const char* kNoMemory =
    "there is not enough memory to render a picture; choose a lower resolution, or write .svg.";

// The first byte of an answer.
constexpr char kDone = 'd', kInput = 'i', kUsage = 'u', kMemory = 'm';

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// How a process ends that did nothing for too long, and how many may.
constexpr int kStuck = 113, kMaxTries = 3;

unsigned alarm_seconds = 0;
std::int64_t worked_before = 0;

std::int64_t worked_milliseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

/// Of a signal: ends the process unless it worked since the last one.
void end_if_stuck(int) {
  constexpr std::int64_t kLittle = 10;
  const std::int64_t worked = worked_milliseconds();
  if (worked - worked_before < kLittle) ::_exit(kStuck);
  worked_before = worked;
  ::alarm(alarm_seconds);
}

/// It ends with the process that waits for it, and in any case: where memory is limited, a library may try
/// for it again and again.
void limit_time(std::chrono::seconds patience) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct rlimit memory {};
  const bool limited = ::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
  const unsigned seconds = limited ? 10 : 300;
  const struct rlimit time { seconds, seconds };
  ::setrlimit(RLIMIT_CPU, &time);
  worked_before = worked_milliseconds();
  alarm_seconds = static_cast<unsigned>(patience.count());
  std::signal(SIGALRM, end_if_stuck);
  ::alarm(alarm_seconds);
}

/// Signals end it, and it leaves neither words nor a core behind.
void make_quiet() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  const struct rlimit none { 0, 0 };
  ::setrlimit(RLIMIT_CORE, &none);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDERR_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
}

[[noreturn]] void answer(const std::function<std::string()>& work, std::chrono::seconds patience,
                         int to) noexcept {
  make_quiet();
  limit_time(patience);
  try {
    const std::string result = work();
    write_all(to, std::string_view(&kDone, 1));
    write_all(to, result);
  } catch (const UsageError& error) {
    write_all(to, std::string_view(&kUsage, 1));
    write_all(to, error.sentence.marked());
  } catch (const InputError& error) {
    write_all(to, std::string_view(&kInput, 1));
    write_all(to, error.sentence.marked());
  } catch (...) {
    write_all(to, std::string_view(&kMemory, 1));
  }
  ::_exit(0);
}

/// The other process, which is waited for whatever happens.
class Child {
 public:
  Child(const std::function<std::string()>& work, std::chrono::seconds patience) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw ResourceError(kNoMemory);
    id_ = ::fork();
    if (id_ == 0) {
      ::close(ends[0]);
      answer(work, patience, ends[1]);
    }
    ::close(ends[1]);
    from_ = ends[0];
    if (id_ > 0) return;
    ::close(from_);
    throw ResourceError(kNoMemory);
  }
  ~Child() {
    ::close(from_);
    if (id_ > 0) wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  std::string read() {
    std::string text;
    std::array<char, 1 << 16> part{};
    while (true) {
      const ssize_t count = ::read(from_, part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
  }

  /// How it came to its own end; -1 where something else ended it.
  int wait() {
    int status = 0;
    pid_t ended = 0;
    do ended = ::waitpid(id_, &status, 0);
    while (ended < 0 && errno == EINTR);
    id_ = 0;
    return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_ = 0;
  int from_ = -1;
};

}  // namespace

std::string in_child(const std::function<std::string()>& work, std::chrono::seconds patience) {
  std::string text;
  int status = kStuck;
  for (int tries = 0; status == kStuck && tries < kMaxTries; ++tries) {
    Child child(work, patience);
    text = child.read();
    status = child.wait();
  }
  if (status != 0 || text.empty() || text.front() == kMemory) throw ResourceError(kNoMemory);
  const char kind = text.front();
  text.erase(0, 1);
  if (kind == kInput) throw InputError(text);
  if (kind == kUsage) throw UsageError(text);
  return text;
}

}  // namespace crema::plot
