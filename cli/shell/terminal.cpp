// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/terminal.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace crema::cli {
namespace {

constexpr std::size_t kMinWidth = 60, kMaxWidth = 120;

int descriptor(Stream stream) { return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO; }

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any here
  return value == nullptr ? std::string_view() : value;
}

/// 0 for what is no number of columns.
std::size_t columns(std::string_view text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string_view::npos)
    return 0;
  std::size_t number = 0;
  for (const char digit : text) number = 10 * number + static_cast<std::size_t>(digit - '0');
  return number;
}

/// Behind the blanks a line begins with, or behind a name and the blanks that set it apart.
std::size_t start_of_text(std::string_view line) {
  constexpr std::size_t kLongestName = 24;
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t apart = line.find("  ", first);
  if (first > 0 || apart == std::string_view::npos || apart > kLongestName) return first;
  return std::min(line.find_first_not_of(' ', apart), line.size());
}

bool coloured(Stream stream) {
  return ::isatty(descriptor(stream)) == 1 && variable("NO_COLOR").empty() && !variable("TERM").empty() &&
         variable("TERM") != "dumb";
}

}  // namespace

std::size_t text_width(Stream stream) {
  std::size_t width = columns(variable("COLUMNS"));
  struct winsize window {};
  if (width == 0 && ::ioctl(descriptor(stream), TIOCGWINSZ, &window) == 0) width = window.ws_col;
  return width == 0 ? kUsualWidth : std::clamp(width, kMinWidth, kMaxWidth);
}

std::string toned(Tone tone, std::string_view text, Stream stream) {
  if (text.empty() || !coloured(stream)) return std::string(text);
  const std::string_view code = tone == Tone::error ? "31" : tone == Tone::warning ? "33" : "1";
  const bool ended = text.back() == '\n';
  if (ended) text.remove_suffix(1);
  return fmt::format("\033[{}m{}\033[0m{}", code, text, ended ? "\n" : "");
}

std::string with_headings(std::string_view text, Stream stream) {
  constexpr std::string_view usage = "Usage:";
  std::string reported;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(usage))
      reported += toned(Tone::heading, usage, stream) + std::string(line.substr(usage.size()));
    else if (line.ends_with(':') && line.front() != ' ')
      reported += toned(Tone::heading, line, stream);
    else
      reported += line;
    reported += '\n';
  }
  return reported;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\033')
      at = std::min(text.find('m', at), text.size() - 1);  // the end of its code
    else
      width += (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 ? 1U : 0U;
  }
  return width;
}

std::string fitted_lines(std::string_view text, Stream stream) {
  if (::isatty(descriptor(stream)) != 1) return std::string(text);
  std::string reported;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view before = line.substr(0, start_of_text(line));
    reported += before;
    reported += fitted(line.substr(before.size()), width_of(before), stream);
    text.remove_prefix(line.size());
    if (text.empty()) break;
    reported += '\n';
    text.remove_prefix(1);
  }
  return reported;
}

std::string fitted(std::string_view text, std::size_t indent, Stream stream) {
  if (::isatty(descriptor(stream)) != 1) return std::string(text);
  const std::size_t width = text_width(stream);
  std::string reported;
  for (std::size_t at = 0, used = indent; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    std::string_view word = text.substr(at, end - at);  // with the blank before it
    if (used > indent && used + width_of(word) > width) {
      reported += "\n" + std::string(indent, ' ');
      used = indent;
      if (word.front() == ' ') word.remove_prefix(1);
    }
    reported += word;
    used += width_of(word);
    at = end;
  }
  return reported;
}

}  // namespace crema::cli
