// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/signals.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "files/files.h"

namespace crema::cli {
namespace {

constexpr std::size_t kMaxFolders = 4;
std::array<std::array<char, PATH_MAX>, kMaxFolders> made_folders{};
std::atomic<std::size_t> folders_made{0};
static_assert(std::atomic<std::size_t>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

extern "C" void exit_cleanly(int signal) {
  files::remove_temporaries();
  // Only an empty folder can be removed this way; the last one may lie in one that was made before.
  for (std::size_t f = folders_made; f > 0; --f) rmdir(made_folders[f - 1].data());
  _exit(128 + signal);
}

void catch_signal(int signal) {
  struct sigaction current {};
  // A signal the parent chose to ignore (nohup) stays ignored.
  if (sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = exit_cleanly;
  sigfillset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// A stream closed by the parent would hand its number to the next file opened, and prints would land in that
/// file.
void fill_stream(int descriptor, int mode) {
  if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) return;
  const int opened = open("/dev/null", mode);
  if (opened != -1 && opened != descriptor) close(opened);
}

}  // namespace

void remove_on_signal(const std::filesystem::path& folder) {
  const std::string path = folder.string();
  const std::size_t next = folders_made;
  if (next == kMaxFolders || path.size() >= PATH_MAX) return;
  std::memcpy(made_folders[next].data(), path.c_str(), path.size() + 1);
  folders_made = next + 1;
}

void prepare_process() {
  fill_stream(STDIN_FILENO, O_WRONLY);
  fill_stream(STDOUT_FILENO, O_RDONLY);
  fill_stream(STDERR_FILENO, O_RDONLY);
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  catch_signal(SIGHUP);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace crema::cli
