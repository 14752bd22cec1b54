// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/shell_words.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cohort {
namespace {

constexpr std::string_view kBlanks = " \t\n\r", kSpecial = "$`;&|<>()*?[#~!{";

/// Reads one line, word by word.
class WordReader {
 public:
  explicit WordReader(std::string_view line) : line_(line) {}

  std::vector<std::string> words() {
    for (skip_blanks(); at_ < line_.size(); skip_blanks()) words_.push_back(word());
    return std::move(words_);
  }

 private:
  void skip_blanks() {
    while (at_ < line_.size() && kBlanks.find(line_[at_]) != std::string_view::npos) ++at_;
  }

  std::string word() {
    std::string text;
    while (at_ < line_.size() && kBlanks.find(line_[at_]) == std::string_view::npos) {
      const char c = line_[at_++];
      if (c == '\'')
        single_quoted(text);
      else if (c == '"')
        double_quoted(text);
      else if (c == '\\')
        text += next("a backslash");
      else
        text += plain(c, text);
    }
    return text;
  }

  /// Tilde and comment mean something at the start of a word alone.
  char plain(char c, const std::string& before) const {
    const bool anywhere = kSpecial.find(c) != std::string_view::npos && c != '~' && c != '#';
    if (anywhere || ((c == '~' || c == '#') && before.empty()))
      throw UsageError(
          fmt::format("'{}' in {} means something to a shell, and no shell reads it here; quote it, "
                      "or put the line into a script of its own.",
                      c, shell_quote(line_)));
    return c;
  }

  char next(std::string_view what) {
    if (at_ == line_.size())
      throw UsageError(fmt::format("{} is not closed in {}.", what, shell_quote(line_)));
    return line_[at_++];
  }

  void single_quoted(std::string& text) {
    for (char c = next("a quote"); c != '\''; c = next("a quote")) text += c;
  }

  void double_quoted(std::string& text) {
    for (char c = next("a quote"); c != '"'; c = next("a quote")) {
      if (c == '$' || c == '`') plain(c, text);
      if (c == '\\') {
        c = next("a quote");
        if (std::string_view("\"\\$`").find(c) == std::string_view::npos) text += '\\';
      }
      text += c;
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> shell_words(std::string_view line) { return WordReader(line).words(); }

}  // namespace crema::cohort
