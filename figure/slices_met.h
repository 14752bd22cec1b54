// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crema/image/image.h"
#include "crema/reduction.h"
#include "crema/solution.h"

namespace crema::plot {

/// One for each slice that choose_slice() chooses from: 1 where voxels of the component, or of any, have a
/// level above one half.
std::vector<std::uint8_t> slices_met(const Reduction& reduction, const Image& image,
                                     std::optional<std::size_t> component = {});
/// The same of any component, before it is painted.
std::vector<std::uint8_t> slices_met(const Reduction& reduction, const Solution& solution);

}  // namespace crema::plot
