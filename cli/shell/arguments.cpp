// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/arguments.h"

namespace crema::cli {
namespace {

bool is_axis(const std::string& word) { return word == "x" || word == "y" || word == "z"; }

/// A bare number behind an option is meant as its value: it is refused as one, not looked for as a file.
bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// CLI11 reads "[a,b]" as a list; as "./[a,b]" it is the file it names.
std::string protect_brackets(const std::string& word) {
  const bool list_like = word.size() > 1 && word.front() == '[' && word.back() == ']';
  return list_like ? "./" + word : word;
}

}  // namespace

std::vector<std::string> prepare_arguments(const std::vector<std::string>& typed) {
  std::vector<std::string> prepared;
  bool options_ended = false;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const std::string& word = typed[i];
    if (word == "--") options_ended = true;
    if (options_ended || word != "--slice-wise") {
      prepared.push_back(protect_brackets(word));
    } else if (i + 1 < typed.size() && (is_axis(typed[i + 1]) || is_number(typed[i + 1]))) {
      prepared.push_back(word + "=" + typed[++i]);
    } else {
      prepared.push_back(word + "=" + kAutomaticAxis);
    }
  }
  return prepared;
}

}  // namespace crema::cli
