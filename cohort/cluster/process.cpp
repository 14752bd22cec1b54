// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/process.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crema/base/error.h"

namespace crema::cohort {
namespace {

/// Never returns.
[[noreturn]] void become(const std::vector<char*>& arguments, int output, Complaints complaints) {
  ::dup2(output, STDOUT_FILENO);
  if (complaints == Complaints::dropped)
    if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  ::execvp(arguments.front(), arguments.data());
  ::_exit(Ended::kNotFound);
}

std::string all_of(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  ssize_t got = 0;
  while ((got = ::read(descriptor, buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR))
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace

Ended run_process(const std::vector<std::string>& words, Complaints complaints) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    throw FileError(fmt::format("no pipe: {}.", std::strerror(errno)));
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw FileError(fmt::format("no process: {}.", std::strerror(errno)));
  if (child == 0) become(arguments, pipe[1], complaints);
  ::close(pipe[1]);
  Ended ended;
  ended.output = all_of(pipe[0]);
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  return ended;
}

}  // namespace crema::cohort
