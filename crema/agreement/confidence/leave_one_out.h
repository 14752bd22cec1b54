// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/agreement/pairs.h"
#include "crema/measure_options.h"
#include "crema/reduction.h"
#include "crema/tables/method.h"

namespace crema {

struct Options;
struct Solution;

/// The consensus T beside the one without a rater.
struct LeftOut {
  int rater = 0;
  CommonCounts voxels;              ///< first: T, second: without the rater
  Measured dice;                    ///< undefined where both are empty
  std::int64_t change = 0;          ///< voxels it has more without the rater
  double soft_change = 0;           ///< the same of Σ level
  double lmsd = 0;                  ///< of the consensus without the rater, to the others
  std::vector<std::size_t> gained;  ///< components of the union that are kept only without the rater
  std::vector<std::size_t> lost;    ///< and those that are kept only with the rater
};

/// For each rater. `solution` is what the reduction gave with these options. `fixed` looks at counts alone;
/// `exact` rebuilds the masks from them, also for methods that look at neighbouring voxels.
/// Throws InputError when there is one rater only, UsageError as solve_resampled() does.
std::vector<LeftOut> leave_one_out(const Reduction& reduction, const Solution& solution,
                                   const Options& options, LeaveOut mode);

/// One rater's row, where both consensuses are on the same components.
LeftOut compare_left_out(int rater, const CommonCounts& voxels, const Solution& with,
                         const Solution& without);

/// Throws InputError where there is one rater only.
void require_others(int raters);

/// The reduction of all masks but one, whose rater's number the later ones take over, and so with weights.
/// Throws InputError when there is one rater only.
Reduction without_rater(const Reduction& reduction, int rater, Needs needs, const Options& options);

}  // namespace crema
