// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "crema/agreement/confidence/level_range.h"
#include "crema/agreement/pairs.h"
#include "crema/options.h"
#include "crema/solution.h"

namespace crema {

/// One method's result in a comparison, and how long it took.
struct MethodResult {
  const Solution* solution = nullptr;
  const Options* options = nullptr;  ///< it was solved with
  double solving = 0;                ///< seconds
  std::optional<double> writing = {};
};

/// Results that others are measured by.
struct References {
  const Solution* majority = nullptr;
  const Solution* average = nullptr;
};

/// What is reported of one method, all in the same terms.
struct MethodRow {
  const Method* method = nullptr;
  Options options;
  std::int64_t components = 0, kept = 0;
  Measured parts, isolated;  ///< connected pieces of the result, and those of a single voxel
  Measured faces;            ///< of its boundary
  std::int64_t voxels = 0;
  double soft_volume = 0, entropy = 0;           ///< the volume in voxels
  std::array<double, kDistances.size()> lmsd{};  ///< under each distance, in the order of kDistances
  Measured lower_bound;                          ///< of the LMSD in the method's own distance
  std::optional<bool> proven = {};
  Measured size_vs_majority, soft_vs_average;  ///< in percent
  std::optional<Performance> performance = {};
  std::optional<LevelRange> range = {};  ///< where other maps are as near to the raters
  double solving = 0;
  std::optional<double> writing = {};
};

/// Whether parts are counted, which takes a look at the voxels.
enum class Shape : std::uint8_t { count, leave };

/// The LMSD of a result under a distance. A distance between masks sees what lies above one half. `weights`
/// are the raters', the same for all methods so that numbers compare.
double lmsd_under(const Reduction& reduction, const Solution& solution, const Distance& distance,
                  const std::vector<double>& weights);

/// To be called while solutions still hold their images. `weights` as for lmsd_under().
std::vector<MethodRow> compare_methods(const Reduction& reduction, const std::vector<MethodResult>& results,
                                       const References& references, const std::vector<double>& weights,
                                       Shape shape = Shape::count);

/// Two methods' results.
struct MethodPair {
  std::size_t a = 0, b = 0;
  CommonCounts voxels;
  Measured dice, jaccard;
};

std::vector<MethodPair> compare_method_pairs(const Reduction& reduction,
                                             const std::vector<MethodResult>& results);

}  // namespace crema
