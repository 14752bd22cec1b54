// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crema/base/warning.h"
#include "crema/counts/staple/performance.h"
#include "crema/image/image.h"

namespace crema {

struct Method;

/// What a method decided about one component of the union.
struct Decision {
  Levels levels;  ///< per row of the tally; for methods that need neighbours the mean over the row
  std::vector<std::int64_t> inside = {};  ///< per row: its voxels with a level above 0.5
  double criterion = 0;                   ///< mean squared distance to the raters
  std::int64_t voxels = 0;                ///< voxels with a level above 0.5
  double soft_voxels = 0;                 ///< Σ level
  std::optional<Certificate> certificate = {};
};

/// What a method says of the voxels of its region that nobody drew.
struct Background {
  std::int64_t voxels = 0;
  double level = 0;
};

/// A consensus before it is painted.
struct Solution {
  const Method* method = nullptr;
  std::vector<Decision> components;
  double lmsd = 0;                         ///< Σ criterion over components
  std::int64_t voxels = 0;                 ///< voxels with a level above 0.5
  double soft_volume = 0;                  ///< Σ level, in voxels
  double entropy = 0;                      ///< Shannon entropy in nats, summed over voxels
  std::optional<double> lower_bound = {};  ///< no consensus has a lower LMSD; set when it was certified
  std::size_t unproven = 0;                ///< components whose proof ran out of budget
  Background background = {};              ///< set by methods for which the background counts
  std::optional<Performance> performance = {};
  Warnings warnings = {};  ///< what the method has to say about its result
  std::vector<std::vector<double>> votes =
      {};                             ///< of levels, per component: what each rater counts; see votes_at()
  std::shared_ptr<Image> image = {};  ///< set by methods that need neighbours: it is painted already
};

}  // namespace crema
