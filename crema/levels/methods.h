// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crema/base/warning.h"
#include "crema/counts/solvers.h"
#include "crema/levels/level_maps.h"
#include "crema/voxels/crowns.h"

/// Methods for raters who give levels: K unknowns, or as many as there are rater groups, whatever the image.
namespace crema {

/// A component of levels, and its core as counts: who reaches ½ where.
struct LevelComponent {
  int raters = 0;
  const LevelPart& part;
  std::span<const Run> core;  ///< in raster order
  const Crowns& crowns;       ///< of the core
};

/// A consensus of one component.
struct LevelAnswer {
  std::vector<double> x;  ///< per voxel of the part
  double criterion = 0;
  std::optional<Certificate> certificate = {};
  std::vector<double> votes = {};  ///< per rater: what it counts, see votes_at()
};

/// Levels of each part, and of the rest behind them.
struct LevelField {
  std::vector<std::vector<double>> parts = {};
  Warnings warnings = {};
};

/// The least mean squared distance to the raters' levels: by layers for soergel and dice1, as a clipped
/// weighted mean for tanimoto and dice2, as a weighted vote for jaccard and dice.
LevelAnswer solve_part(const LevelComponent& component, const Distance& distance,
                       const SolveOptions& options);

/// Voxel by voxel: the mean of the levels, their median, the level of the mean logit, and whether more than
/// half of the raters lie above ½.
LevelField average_levels(const LevelMaps& maps, const SolveOptions& options);
LevelField median_levels(const LevelMaps& maps, const SolveOptions& options);
LevelField average_logits(const LevelMaps& maps, const SolveOptions& options);
LevelField majority_of_levels(const LevelMaps& maps, const SolveOptions& options);

/// Logits with a bias and a variance of each rater and heavy tails; after Audelan et al., from what their
/// abstracts say.
LevelField robust_levels(const LevelMaps& maps, const SolveOptions& options);

}  // namespace crema
