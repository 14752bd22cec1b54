// SPDX-License-Identifier: Apache-2.0
#include "crema/base/sentence.h"

#include <algorithm>

namespace crema {
namespace {

// Control characters: no file name or text typed by people gets into a sentence with them.
constexpr char kSetting = '\x0E', kCommand = '\x10', kEnd = '\x0F';

/// As a shell takes it for one word.
std::string shell_word(std::string_view value) {
  if (value.find_first_of(" \t\"'$&;<>()`\\*?") == std::string_view::npos) return std::string(value);
  std::string word = "'";
  for (const char c : value) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string as_flag(std::string_view name, std::string_view value) {
  if (value == "False") return off_flag_of(name);
  std::string flag = flag_of(name);
  if (!value.empty() && value != "True") flag.append(" ").append(shell_word(value));
  return flag;
}

/// Whether Python wants quotes around it: it is no number and none of Python's own words.
bool is_word(std::string_view value) {
  if (value.empty() || value == "True" || value == "False" || value == "None") return false;
  return value.find_first_not_of("0123456789.-") != std::string_view::npos;
}

std::string spell_setting(std::string_view mark, Spelling spelling) {
  const std::size_t equals = mark.find('=');
  const std::string_view name = mark.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : mark.substr(equals + 1);
  if (spelling == Spelling::program) return as_flag(name, value);
  if (spelling == Spelling::library && value.empty()) return std::string(name);
  const std::string quote = spelling == Spelling::python && is_word(value) ? "\"" : "";
  return std::string(name) + "=" + quote + std::string(value) + quote;
}

std::string spell_command(std::string_view name, Spelling spelling) {
  return (spelling == Spelling::program ? "crema " : "crema.") + std::string(name);
}

}  // namespace

std::string flag_of(std::string_view setting) {
  if (setting == "overwrite") return "--force";  // a word that people know
  std::string flag = "--" + std::string(setting);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string off_flag_of(std::string_view setting) { return "--no-" + flag_of(setting).substr(2); }

std::string Sentence::text(Spelling spelling) const {
  std::string spelled;
  for (std::size_t at = 0; at < marked_.size();) {
    const char c = marked_[at];
    if (c != kSetting && c != kCommand) {
      spelled += c;
      ++at;
      continue;
    }
    const std::size_t end = std::min(marked_.find(kEnd, at), marked_.size());
    const std::string_view mark = std::string_view(marked_).substr(at + 1, end - at - 1);
    spelled += c == kSetting ? spell_setting(mark, spelling) : spell_command(mark, spelling);
    at = end + 1;
  }
  return spelled;
}

std::string Sentence::setting(std::string_view name, std::string_view value) {
  std::string mark(1, kSetting);
  mark += name;
  if (!value.empty()) mark.append("=").append(value);
  return mark += kEnd;
}

std::string Sentence::command(std::string_view name) {
  std::string mark(1, kCommand);
  mark += name;
  return mark += kEnd;
}

}  // namespace crema
