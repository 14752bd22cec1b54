// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "annotations/shapes/shape.h"
#include "crema/base/json.h"

/// What is drawn in a result of Label Studio: brushes in runs, everything else in percent of the picture.
namespace crema::annotations {

/// Nothing, as in a choice; an area; or something that is none or is not read, such as a point.
enum class Drawn : std::uint8_t { nothing, area, other };
Drawn drawn_in(const Json& result);

/// The area that the value of a result holds, on a picture of that size.
Shape region_shape(const Json& value, Extent picture);

}  // namespace crema::annotations
