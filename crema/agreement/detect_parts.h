// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/agreement/detection.h"

namespace crema {

/// detect() for those who put the same raters beside several consensuses: `raters` are cut into parts
/// already.
DetectionReport detect_parts(const Reduction& reduction, std::span<const Parts> raters,
                             const VoxelSet& consensus);

/// What each rater drew, cut into parts.
std::vector<Parts> parts_of(const Reduction& reduction, std::span<const VoxelSet> raters);

}  // namespace crema
