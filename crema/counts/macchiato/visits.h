// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crema/counts/problem.h"

namespace crema {

/// What would become of a block if it alone were set to its best level.
struct Candidate {
  std::size_t block = 0;
  double now = 0, best = 0;  ///< levels
  double change = 0;         ///< of the criterion
  double unit = 0;           ///< size of the terms of such changes per unit of level
};

/// Candidates, and where each visit ends: those of one visit are set at once.
struct Order {
  std::vector<Candidate> candidates;
  std::vector<std::size_t> ends;
};

/// Numbers the blocks by what can be said of them without numbering raters: more raters come first, then more
/// voxels, then larger raters. Blocks with the same number are distinguished by the order of the raters
/// alone.
std::vector<std::uint32_t> rank_blocks(const Problem& problem);

/// Orders the candidates of a crown, which come by block, as they are visited: lowest criterion first, on a
/// tie more raters first, then more voxels, then larger raters. What is still tied is one visit: nothing but
/// the order in which the raters are listed could tell such blocks apart.
void order_visits(const std::vector<std::uint32_t>& ranks, Order& order);

}  // namespace crema
