// SPDX-License-Identifier: Apache-2.0
#include "cohort/cluster/sbatch_options.h"

#include <array>

namespace crema::cohort {
namespace {

/// Shorter beginnings stand for several options of sbatch.
constexpr std::size_t kShortest = 5;

constexpr std::array<SbatchName, 7> kShared{{{"--account", 'A'},
                                             {"--clusters", 'M'},
                                             {"--cluster"},
                                             {"--partition", 'p'},
                                             {"--qos", 'q'},
                                             {"--reservation"},
                                             {"--wckey"}}};

/// The value behind an option, where this word is that option; null where it stands in the next word.
struct Given {
  bool is = false;
  std::optional<std::string> value;
};

Given given_in(const std::string& word, SbatchName option) {
  if (word.starts_with("--")) {
    const std::size_t equals = word.find('=');
    const std::string_view name = std::string_view(word).substr(0, equals);
    if (name != option.name && (name.size() < kShortest || !option.name.starts_with(name))) return {};
    if (equals == std::string::npos) return {true, {}};
    return {true, word.substr(equals + 1)};
  }
  if (option.letter == 0 || word.size() < 2 || word[0] != '-' || word[1] != option.letter) return {};
  if (word.size() == 2) return {true, {}};
  return {true, word.substr(2)};
}

}  // namespace

std::optional<std::string> option_in(const std::vector<std::string>& words, SbatchName option) {
  std::optional<std::string> value;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const Given given = given_in(words[w], option);
    if (given.is) value = given.value ? *given.value : w + 1 < words.size() ? words[w + 1] : "";
  }
  return value;
}

std::vector<std::string> without(const std::vector<std::string>& words, SbatchName option) {
  std::vector<std::string> rest;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const Given given = given_in(words[w], option);
    if (!given.is)
      rest.push_back(words[w]);
    else if (!given.value)
      ++w;
  }
  return rest;
}

std::vector<std::string> shared_options(const std::vector<std::string>& words) {
  std::vector<std::string> shared;
  for (std::size_t w = 0; w < words.size(); ++w)
    for (const SbatchName& option : kShared) {
      const Given given = given_in(words[w], option);
      if (!given.is) continue;
      shared.push_back(words[w]);
      if (!given.value && w + 1 < words.size()) shared.push_back(words[++w]);
      break;
    }
  return shared;
}

}  // namespace crema::cohort
