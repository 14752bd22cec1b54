// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/fuse.h"

namespace crema {

/// What a careful reader of the counts would ask about the raters, whatever the method: masks that are equal,
/// full, or look inverted. Sentences that name raters by their number, from 1.
Warnings warnings_about_raters(const Reduction& reduction);

/// What a careful reader would ask about an estimate of performance: no convergence, a rater who dictates it,
/// a rater taken to be worse than chance, voxels decided against a strict majority.
Warnings warnings_about_estimate(const Reduction& reduction, const Solution& solution);

}  // namespace crema
