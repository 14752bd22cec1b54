// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/words.h"

#include <algorithm>

namespace crema::cli {

std::string_view first_word(const Command& command) { return command.name.substr(0, command.name.find(' ')); }

std::string_view second_word(const Command& command) {
  const std::size_t blank = command.name.find(' ');
  return blank == std::string_view::npos ? std::string_view() : command.name.substr(blank + 1);
}

std::string dashed(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

}  // namespace crema::cli
