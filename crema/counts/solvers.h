// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "crema/counts/solve_options.h"
#include "crema/counts/tally.h"

namespace crema {

struct Answer {
  Levels levels;  ///< hard: a level between 0 and 1 takes that share of the row's voxels, the first in raster
                  ///< order
  std::optional<Certificate> certificate = {};
};

/// The least mean squared distance to the raters: by Alg. 1 where the distance compares masks, by Alg. 2
/// where it compares levels, by a vote where the criterion is linear in them, or the true minimiser.
Answer solve_distance(const Tally& tally, const Distance& distance, const SolveOptions& options);

template <const Distance& distance>
Answer solve_for(const Tally& tally, const SolveOptions& options) {
  return solve_distance(tally, distance.with(options.tversky), options);
}

Answer solve_majority(const Tally& tally, const SolveOptions& options);
/// The vote of the raters who drew something in the component, if they are more than half of all.
Answer solve_local_majority(const Tally& tally, const SolveOptions& options);
Answer solve_average(const Tally& tally, const SolveOptions& options);

/// The least criterion that is linear in the levels, which is a proof of itself: a block is in where that
/// lowers it, and on a tie as `options` say. The empty consensus is one of those among which the vote
/// chooses.
Answer solve_by_vote(const Tally& tally, const Distance& distance, const SolveOptions& options);

/// Alg. 1 of the paper on subcrowns, crowns or single voxels. The distance is a ratio between masks.
Levels solve_greedily(const Tally& tally, const Distance& distance, const SolveOptions& options);

/// The true minimiser: constant on rater groups, or whole numbers of their voxels taken by increasing
/// distance.
Answer solve_groups(const Tally& tally, const Distance& distance, const SolveOptions& options);

/// Whether groups are tried one by one always, or only where votes alone promise much.
enum class Effort : std::uint8_t { quick, thorough };

/// Looks for a consensus below `start` among weighted votes of rater groups, and by trying groups one by one.
/// Never above `start`, and the empty set is tested; nothing is proven. `budget.seconds` limits it.
Answer best_without_proof(const Tally& tally, const Distance& distance, const Levels& start, Effort effort,
                          const SolveOptions& options);

/// A bound for a component in a distance, whoever made the consensus; `levels` may help to find it.
Certificate certify(const Tally& tally, const Distance& distance, const Levels& levels,
                    const SolveOptions& options);

/// True when the empty consensus takes the place of one with that criterion.
bool empty_is_better(double empty, double criterion, Tie tie);

}  // namespace crema
