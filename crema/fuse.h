// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/image/image.h"
#include "crema/method.h"
#include "crema/options.h"
#include "crema/reduction.h"
#include "crema/solution.h"

namespace crema {

struct Consensus {
  Image image;
  Reduction reduction;
  Solution solution;
};

/// Voxels to counts: components, distances where `needs` asks for them, crowns. Methods that need neighbours
/// want the votes in Reduction::votes besides.
Reduction reduce(const Grid& grid, const Votes& votes, Needs needs, const Options& options);

/// Counts to levels, for one method.
/// Throws UsageError on weights that do not fit, on a prior outside (0,1), and on certifying a method that
/// has no criterion.
Solution solve(const Reduction& reduction, const Method& method, const Options& options);

/// Levels to voxels.
Image paint(const Reduction& reduction, const Solution& solution, const Options& options);

/// The whole way for one method: masks of one grid to their consensus.
Consensus fuse(const Grid& grid, std::span<const Mask> masks, const Options& options = {});

}  // namespace crema
