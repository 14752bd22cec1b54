// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "crema/base/warning.h"
#include "crema/reduction.h"

namespace crema {

/// Slices across an axis that a rater left empty in a component, between slices that this rater drew.
struct MissingSlices {
  int rater = 0;
  Axis axis = Axis::z;
  std::set<std::int32_t> slices;
};

/// Gaps that look like a slip: the drawn slices on both sides share half of the smaller one or more, and in
/// every slice between them most of the others who drew the component drew half of that or more, and it is a
/// quarter or more of what they drew. By rater, then axis; none of 2-D images. Costs a step per voxel of the
/// union.
std::vector<MissingSlices> find_missing_slices(const Reduction& reduction);

/// One sentence for each of them.
Warnings warnings_about_slices(const Reduction& reduction, std::span<const std::string> names);

}  // namespace crema
