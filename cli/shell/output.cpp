// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/shell/terminal.h"
#include "crema/base/error.h"

namespace crema::cli {
namespace {

[[noreturn]] void refuse() {
  const int reason = errno;
  if (reason == EPIPE) throw OutputClosed();
  throw FileError(fmt::format("standard output: cannot be written ({}); the rest was not printed.",
                              std::generic_category().message(reason)));
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

void flush_output() {
  if (std::fflush(stdout) != 0) refuse();
}

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void print_lines(std::string_view text) { print(fitted_lines(text, Stream::output)); }

void say_lines(std::string_view text) { say(fitted_lines(text, Stream::error)); }

bool talking_to_a_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace crema::cli
