// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/counts/distance.h"
#include "crema/counts/tally.h"

namespace crema {

struct Decision;
struct Options;
struct Reduction;
struct Solution;

/// A consensus of least distance is a weighted vote whose weights it found itself: the one of this component.
/// With F the criterion, a voxel that the raters g drew has
/// - tanimoto, dice2: the level min(1, Σ_{k∈g} λₖ), λₖ = −∂F/∂aₖ / (2 ∂F/∂q), and is in where that is above
/// 0.5;
/// - the others: the level 1 where Σ_{k∈g} αₖ/F_t > 1 and 0 where it is below, αₖ = −∂F/∂aₖ, F_t = ∂F/∂t.
/// That holds for a true minimiser (the blocks `group`); a heuristic comes close, see exceptions.
struct FoundWeights {
  std::optional<Undefined> reason = {};  ///< why there are none
  std::vector<double> weights = {};      ///< λₖ or αₖ/F_t; 0 for who drew nothing here
  Raters present = 0;                    ///< who drew something here
  bool graded = false;                   ///< the sum is the level itself
  double threshold = 1;                  ///< a voxel is in where the sum is above it
  std::int64_t exceptions = 0;           ///< voxels that the consensus decided otherwise, ties left out
};

/// Throws InputError when the decision has another number of levels than the tally has rows.
FoundWeights find_weights_of(const Tally& tally, const Decision& decision, const Distance& distance,
                             const std::vector<double>& weights = {});

/// For each component; without a value for methods that minimise no distance.
std::vector<FoundWeights> find_weights_of(const Reduction& reduction, const Solution& solution,
                                          const Options& options);

/// "in where 0.31·A + 0.28·B + 0.12·C > 0.5, but for 12 voxels": with what the mask contradicts; or why there
/// is no rule. Names are one per rater.
std::string rule_in_words(const FoundWeights& found, std::span<const std::string> names);

}  // namespace crema
