// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "crema/counts/solve_options.h"
#include "crema/counts/staple/performance.h"
#include "crema/image/grid.h"
#include "crema/voxels/region.h"

namespace crema {

class MemoryAccount;

/// Whether to prove how far a consensus is from the best one.
enum class Certify : std::uint8_t { no, yes };

/// Options of methods that look at neighbouring voxels; docs/method.md has the meaning.
struct SpatialOptions {
  double coupling = 0.5;  ///< staple-mrf: what two neighbours gain by agreeing, in nats
  int half_window = 0;    ///< local-staple: voxels to each side; 0 is 5, in 2-D 15
  double softness = 0;    ///< shape-soft: millimetres; 0 is the size of a voxel
};

/// How regions of raters who give levels become labels: each cut to the one it lies inside, or, as nnU-Net
/// writes them, each painted over those of the channels before it.
enum class RegionRule : std::uint8_t { inside, over };

struct Options {
  std::string_view method = "jaccard";
  int connectivity = 0;                 ///< 4, 8, 6, 18, 26; 0 is the default for the image
  std::optional<Axis> slice_wise = {};  ///< treat each slice across this axis as an image of its own
  Tie tie = Tie::background;
  Blocks blocks = Blocks::subcrown;  ///< which voxels share one decision, for methods with a criterion
  std::vector<double> weights = {};  ///< one per rater, or none: all count alike
  EmptyTest empty_test = EmptyTest::apply;
  Certify certify = Certify::no;
  Budget budget = {};          ///< for proving one component
  Tversky tversky = {};        ///< for the distances that take it
  GroupOptions estimate = {};  ///< for methods that estimate performance; its tie is not looked at
  Region region = {};          ///< what those take as the image
  double floor = 0.05;         ///< of raters who give levels: what lies below counts as 0
  RegionRule region_rule = RegionRule::inside;
  SpatialOptions spatial = {};
  /// The label that voxels of a tied vote get; none: `tie` decides.
  std::optional<std::uint16_t> undecided = {};
  int threads = 0;                             ///< 0 is one per core
  std::shared_ptr<MemoryAccount> memory = {};  ///< what the work may take; none: as much as there is
  /// Called now and then with the finished share of the work; may throw Cancelled.
  std::function<void(double)> progress = {};
  /// Called now and then, on any thread; once it says true the work ends with Cancelled. May throw.
  std::function<bool()> stop = {};
};

}  // namespace crema
