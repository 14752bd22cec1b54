// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "crema/base/memory.h"
#include "crema/image/image.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

/// Where the prior of a window's EM comes from: the share of the window, or of the image, that a rater draws
/// on average.
enum class LocalPrior : std::uint8_t { window, image };

struct LocalStapleOptions {
  int half_window = 0;  ///< voxels to each side of a window's centre; 0: 5, or 15 in 2-D
  int step = 0;         ///< voxels between centres; 0: half of half_window, rounded up
  /// Sensitivities and specificities have the prior Beta(alpha, beta), to the power of strength.
  double alpha = 5, beta = 1.5, strength = 0.5;
  LocalPrior prior = LocalPrior::window;
  double tolerance = 1e-7;  ///< no sensitivity or specificity may still move by more
  int max_iterations = 1000;
  const MemoryAccount* memory = nullptr;
  std::function<bool()> stop = {};  ///< called now and then; true: give up
};

struct LocalStaple {
  SoftImage image;
  std::int64_t windows = 0;      ///< those in which anybody drew anything
  std::int64_t unconverged = 0;  ///< of them
};

/// STAPLE with performances that vary in space, after Commowick, Akhondi-Asl and Warfield (2012): in each of
/// many overlapping windows the EM of its own votes, with Beta priors on the performances; a voxel's level is
/// the mean over the windows that cover it. A window in which no rater marked anything has level 0
/// throughout. Throws UsageError on options out of range, Cancelled when stopped.
LocalStaple local_staple(const Grid& grid, const Votes& votes, const LocalStapleOptions& options);

}  // namespace crema
