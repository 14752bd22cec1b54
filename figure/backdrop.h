// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "figure/panel.h"

namespace crema::figure {

/// Lays the image beneath each panel, in grey from the 1st to the 99th percentile of what all of them show.
void lay_beneath(std::vector<plot::Panel>& panels, std::span<const float> image, const Grid& grid);

}  // namespace crema::figure
