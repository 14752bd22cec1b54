// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace crema::cli {

int edits_between(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string suggestion(std::string_view typed, std::span<const std::string> candidates) {
  const std::string* nearest = nullptr;
  // A third of the letters may be wrong, and always one.
  int fewest = std::max(1, static_cast<int>(typed.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const int edits = edits_between(typed, candidate);
    if (edits < fewest) {
      fewest = edits;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? std::string() : fmt::format(" Did you mean {}?", *nearest);
}

}  // namespace crema::cli
