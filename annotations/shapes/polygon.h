// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "annotations/shapes/shape.h"

namespace crema::annotations {

/// Sets the pixels of a patch whose centres lie inside the ring, even-odd; rows and columns of the patch are
/// those of its image. Throws InputError for a ring that crosses rows too often.
void fill(const std::vector<Point>& ring, Patch& patch);

}  // namespace crema::annotations
