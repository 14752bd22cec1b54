// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/image/image.h"
#include "crema/solution.h"

namespace crema {

struct Method;
struct Options;
struct Reduction;

/// Where the middle 90 % of the replicates lie: 5th, 50th and 95th percentile, interpolated linearly.
struct Spread {
  double low = 0, median = 0, high = 0;
};

/// What the consensus might have been with other raters of the same kind.
struct Bootstrap {
  int replicates = 0;
  std::uint64_t seed = 0;
  std::vector<Levels> mean_levels;   ///< [component][row]; for a hard method how often the row is in
  Background background;             ///< the mean level of what nobody drew
  std::vector<double> kept;          ///< per component: the share of replicates that keep a voxel of it
  Spread voxels, soft_volume, lmsd;  ///< of whole replicates; the LMSD is to the raters as they were drawn
  std::shared_ptr<const Image> image = {};  ///< of levels: the mean level of each voxel
  bool rough = false;                       ///< so few raters (below 8) that the intervals are rough
};

/// Draws as many raters as there are, with replacement, `replicates` times, and solves each time on the same
/// components. The same seed gives the same numbers on every machine and for any number of threads.
/// Throws UsageError when there is no replicate, and as solve_resampled() does.
Bootstrap bootstrap(const Reduction& reduction, const Method& method, const Options& options, int replicates,
                    std::uint64_t seed);

/// Throws UsageError unless there is a replicate.
void require_replicates(int replicates);

/// What is kept of replicates: levels per row, or images too.
enum class Keeps : std::uint8_t { rows, image };

/// Adds up replicates in their order, so that threads do not show in the last digit.
class Collector {
 public:
  Collector(const Reduction& reduction, Keeps keeps);

  /// A solution on the components of the reduction, with its image where images are kept.
  void add(const Solution& solution);
  /// Once, when all are added.
  Bootstrap finish(std::uint64_t seed);

 private:
  void finish_image();

  const Reduction& reduction_;
  Bootstrap result_;
  std::optional<SoftImage> image_;  ///< Σ level
  std::vector<double> voxels_, soft_volume_, lmsd_;
};

/// How often each rater is drawn; one with weight 0 never is: there are no others of that kind.
std::vector<double> draw_weighted(const Options& options, const Method& method, int raters,
                                  std::uint64_t seed, int replicate);

/// How often each rater is drawn in a replicate: multinomial, all raters alike.
std::vector<double> draw_raters(int raters, std::uint64_t seed, int replicate);

/// The mean levels as a map: how often each voxel is in.
Image paint(const Reduction& reduction, const Bootstrap& bootstrap, const Options& options);

}  // namespace crema
