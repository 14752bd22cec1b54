// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/problem.h"
#include "crema/counts/proof/merge.h"
#include "crema/counts/solve_options.h"
#include "crema/counts/tally.h"

namespace crema {

/// A consensus of one component, constant on rater groups (hard: how many voxels of each), and how good it
/// is.
struct Proof {
  std::vector<double> levels;  ///< per block of the group problem; multiples of 1/n when hard
  double criterion = 0;        ///< of these levels; the empty set is not considered
  double lower_bound = 0;      ///< no consensus that is not empty lies below, rounding included
  bool proven =
      false;  ///< the two are within the tolerance; hard: within what one voxel more or less changes
  int nodes = 0;
};

/// Relative gap at which the search ends. Hard consensuses take few values, of which the best is wanted.
inline constexpr double kSoftTolerance = 1e-7, kHardTolerance = 1e-10;

/// Relative gap that may be no more than what rounding took off the bound.
inline constexpr double kRounding = 1e-9;

/// Nodes after which a hard search is content with a gap of one voxel's worth.
inline constexpr int kPolishNodes = 400;

/// Nodes before which a search never gives up.
inline constexpr int kPatientNodes = 100;

/// What a proof is for. A consensus may still get better while the bound stands still, so the whole budget is
/// spent on it. Where the bound alone is wanted and nobody gave a number of nodes, a search gives up once it
/// is plain that it will not prove anything.
enum class Wanted : std::uint8_t { consensus, bound };

/// Global minimum over group levels by branch and bound, in a distance that is a ratio. Those between masks
/// want whole voxels.
/// `starts` are levels per group to begin from; the mask average and the full component are always tried.
/// A criterion of `ceiling` is to be had by other means (the empty set): what lies above it is not searched.
/// Once the budget is spent the best found so far is the answer, and the bound a true one, if a poor one.
Proof prove_groups(const Tally& groups, const Distance& distance, const std::vector<double>& weights,
                   const std::vector<Levels>& starts, double ceiling, const Budget& budget,
                   Wanted wanted = Wanted::consensus);

}  // namespace crema
