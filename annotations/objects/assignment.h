// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace crema::annotations {

/// A pair that may be matched, and what it is worth; above 0.
struct Match {
  std::size_t row = 0, column = 0;
  double worth = 0;
};

/// Of these pairs those that are worth most together, no row and no column twice; in the order of their rows.
/// The same pairs give the same answer. Throws InputError where more than a thousand rows and columns hang
/// together.
std::vector<Match> best_matches(std::span<const Match> pairs);

}  // namespace crema::annotations
