// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/counts/performance.h"
#include "crema/image/image.h"
#include "crema/method.h"
#include "crema/voxels/components.h"
#include "crema/voxels/crowns.h"
#include "crema/voxels/neighbourhood.h"
#include "crema/voxels/region.h"
#include "crema/voxels/votes.h"

namespace crema {

/// Whether to prove how far a consensus is from the best one.
enum class Certify : std::uint8_t { no, yes };

/// What methods that look at neighbouring voxels are told; docs/method.md has the meaning.
struct SpatialOptions {
  double coupling = 0.5;  ///< staple-mrf: what two neighbours gain by agreeing, in nats
  int half_window = 0;    ///< local-staple: voxels to each side; 0 is 5, in 2-D 15
  double softness = 0;    ///< shape-soft: millimetres; 0 is the size of a voxel
};

struct Options {
  std::string_view method = "jaccard";
  int connectivity = 0;            ///< 4, 8, 6, 18, 26; 0 is the default for the image
  std::optional<Axis> slice_wise;  ///< treat each slice across this axis as an image of its own
  Tie tie = Tie::background;
  Blocks blocks = Blocks::subcrown;  ///< which voxels share one decision, for methods with a criterion
  std::vector<double> weights = {};  ///< one per rater, or none: all count alike
  EmptyTest empty_test = EmptyTest::apply;
  Certify certify = Certify::no;
  Budget budget = {};          ///< for proving one component
  GroupOptions estimate = {};  ///< for methods that estimate performance; its tie is not looked at
  Region region = {};          ///< what those take as the image
  SpatialOptions spatial = {};
  int threads = 0;  ///< 0 is one per core
  /// Called now and then with the finished share of the work; may throw Cancelled.
  std::function<void(double)> progress;
  /// Asked now and then, on any thread; once it says true the work ends with Cancelled.
  std::function<bool()> stop = {};
};

/// The waist of the hourglass: what the voxels have to say, as counts. The votes may be dropped after it.
struct Reduction {
  Grid grid;
  int raters = 0;
  Neighbourhood neighbourhood;
  Components components;
  std::vector<Crowns> crowns;               ///< per component: its tally, and the row of each of its voxels
  std::shared_ptr<const Votes> votes = {};  ///< kept for methods that need neighbours, else dropped
};

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
  std::vector<std::string> notes = {};      ///< what the method has to say about its result
  std::shared_ptr<const Image> image = {};  ///< set by methods that need neighbours: it is painted already
};

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
