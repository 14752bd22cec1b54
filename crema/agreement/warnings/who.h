// SPDX-License-Identifier: Apache-2.0
// How warnings call raters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "crema/base/text.h"

namespace crema {

using Names = std::span<const std::string>;

/// "3", or "3 (case07/rater3.nii.gz)" where names are known.
inline std::string who(std::size_t rater, Names names) {
  // Masks in memory may have no better name than their number.
  if (rater >= names.size() || names[rater] == fmt::format("rater {}", rater + 1))
    return fmt::format("{}", rater + 1);
  return fmt::format("{} ({})", rater + 1, printable(names[rater]));
}

/// "3", "3 and 4", "3, 4 and 7".
inline std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

inline std::string who_all(const std::vector<std::size_t>& raters, Names names) {
  std::vector<std::string> words;
  for (const std::size_t rater : raters) words.push_back(who(rater, names));
  return listed(words);
}

}  // namespace crema
