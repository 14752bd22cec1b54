// SPDX-License-Identifier: Apache-2.0
// The voxels of an image series, which are seen beneath masks.
#pragma once

#include <functional>
#include <span>

#include "files/dicom/series.h"

namespace crema::files::dicom {

/// Is handed the values of a slice, row by row.
using TakeValues = std::function<void(std::span<const double>)>;

/// Hands over the slices from the first to the last, in the unit that their rescale slope and intercept give.
/// Refuses slices that are compressed, in colour, cut short, or not those that the series was made of.
void read_voxels(const Series& series, const TakeValues& take);

}  // namespace crema::files::dicom
