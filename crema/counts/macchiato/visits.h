// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// Candidates that are visited at once.
using Visit = std::vector<Candidate>;

/// The order in which the blocks of a crown are visited: lowest criterion first, on a tie more raters first,
/// then more voxels, then larger raters. What is still tied is one visit: nothing but the order in which the
/// raters are listed could tell such blocks apart.
std::vector<Visit> order_visits(const Problem& problem, std::vector<Candidate> candidates);

}  // namespace crema
