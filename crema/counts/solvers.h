// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/counts/problem.h"
#include "crema/counts/proof/bound.h"
#include "crema/counts/tally.h"

namespace crema {

/// What decides an exact tie: the voxel, or the component, is left out or taken in.
enum class Tie : std::uint8_t { background, foreground };

/// Whether a consensus gives way to the empty one where that is better.
enum class EmptyTest : std::uint8_t { apply, skip };

/// What a solver is told besides the counts.
struct SolveOptions {
  Tie tie = Tie::background;
  Blocks blocks = Blocks::subcrown;
  std::vector<double> weights = {};  ///< one per rater, or none: all count alike
  EmptyTest empty_test = EmptyTest::apply;
  Budget budget = {};  ///< for what needs a proof
};

/// How far the criterion of a component could be lowered by any consensus whatever, the empty one included.
struct Certificate {
  double lower_bound = 0;
  bool proven = false;  ///< the bound is within the tolerance of the best consensus that was found
  int nodes = 0;
};

struct Answer {
  Levels levels;  ///< hard: a level between 0 and 1 takes that share of the row's voxels, the first in raster
                  ///< order
  std::optional<Certificate> certificate = {};
};

using Solver = Answer (*)(const Tally&, const SolveOptions&);

/// The least mean squared distance to the raters: by Alg. 1 where the distance compares masks, by Alg. 2
/// where it compares levels, or the true minimiser.
Answer solve_distance(const Tally& tally, Distance distance, const SolveOptions& options);

template <Distance distance>
Answer solve_for(const Tally& tally, const SolveOptions& options) {
  return solve_distance(tally, distance, options);
}

Answer solve_majority(const Tally& tally, const SolveOptions& options);
Answer solve_average(const Tally& tally, const SolveOptions& options);

/// Alg. 1 of the paper on subcrowns, crowns or single voxels. distance is jaccard or dice.
Levels solve_greedily(const Tally& tally, Distance distance, const SolveOptions& options);

/// The true minimiser: constant on rater groups, or whole numbers of their voxels taken by increasing
/// distance.
Answer solve_groups(const Tally& tally, Distance distance, const SolveOptions& options);

/// Whether groups are tried one by one always, or only where votes alone promise much.
enum class Effort : std::uint8_t { quick, thorough };

/// Looks for a consensus below `start` among weighted votes of rater groups, and by trying groups one by one.
/// Never above `start`, and the empty set is tested; nothing is proven. `budget.seconds` limits it.
Answer best_without_proof(const Tally& tally, Distance distance, const Levels& start, Effort effort,
                          const SolveOptions& options);

/// A bound for a component in a distance, whoever made the consensus; `levels` may help to find it.
Certificate certify(const Tally& tally, Distance distance, const Levels& levels, const SolveOptions& options);

/// True when the empty consensus takes the place of one with that criterion.
bool empty_is_better(double empty, double criterion, Tie tie);

}  // namespace crema
