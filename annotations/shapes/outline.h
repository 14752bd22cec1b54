// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "annotations/shapes/shape.h"

namespace crema::annotations {

/// Rings along the edges of pixels that have exactly the pixels of a mask inside, whether even-odd or by
/// their winding: one for each part whose pixels touch. A hole is reached along a line that the ring goes
/// twice, there and back.
std::vector<std::vector<Point>> outlines_of(const Patch& mask);

}  // namespace crema::annotations
