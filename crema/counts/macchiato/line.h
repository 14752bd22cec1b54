// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "crema/counts/problem.h"

namespace crema {

/// The criterion as a function of the level y of one block, or of several that share it; all others fixed.
struct Line {
  const Problem* problem = nullptr;
  double voxels = 0;              ///< of what has the level y
  const double* share = nullptr;  ///< per rater of the panel: of these, those the rater drew
  State rest = {};                ///< the sums without them

  Line() = default;
  Line(const Problem& of, std::size_t block, State without)
      : problem(&of), voxels(of.voxels[block]), share(of.share_of(block)), rest(std::move(without)) {}
};

/// A difference, and the size of the terms it was summed from, by which its rounding error is bounded.
struct Difference {
  double value = 0, terms = 0;
};

}  // namespace crema
