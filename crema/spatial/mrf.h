// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/memory.h"
#include "crema/counts/staple/performance.h"
#include "crema/image/image.h"
#include "crema/voxels/neighbourhood.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

struct MrfOptions {
  double beta = 0.5;  ///< what two neighbours gain by agreeing, in nats
  Tie tie = Tie::background;
  const MemoryAccount* memory = nullptr;
  int max_rounds = 1;  ///< 1: performances as they were estimated without neighbours; more: see below
};

struct MrfResult {
  HardImage image;
  std::vector<double> sensitivity, specificity;  ///< those behind the image, one per rater
  int rounds = 0;
  bool converged = false;  ///< another round would give the same image; always so for a single round
};

/// STAPLE with the Ising prior of the original paper (Warfield, Zou and Wells, 2004): the most probable
/// labelling when neighbours tend to agree, given how well the raters do.
///
/// `estimate` is STAPLE's answer for `groups`, and its prior is used again. With more than one round,
/// performances are then estimated from the labelling, and the labelling from these, until it repeats.
MrfResult staple_mrf(const Grid& grid, const Votes& votes, const Groups& groups, const GroupAnswer& estimate,
                     const Neighbourhood& neighbourhood, const MrfOptions& options);

}  // namespace crema
