// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/problem.h"
#include "crema/counts/solvers.h"

/// How far a consensus may move before its criterion shows it.
namespace crema {

/// What a component allows within a factor of its least criterion: sizes around that of the minimiser, and
/// groups that may be wholly in as well as wholly out.
struct NearOptimal {
  double smallest = 0, largest = 0;      ///< Σ n x; 0 where the empty consensus is near enough
  std::vector<std::size_t> undecided{};  ///< blocks
  bool optional = false;                 ///< it may be kept as well as left out
};

/// `levels` are those of a minimiser, one for each block, all 0 where the empty consensus is least; `least`
/// its criterion. Masks take whole voxels. Sizes are those that are connected with the minimiser's: each is
/// reached, others may be.
NearOptimal find_near_optimal(const Problem& problem, const std::vector<double>& levels, double least,
                              double factor, EmptyTest empty);

}  // namespace crema
