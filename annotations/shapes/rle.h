// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotations/shapes/shape.h"

/// Runs as the tools write them down. What does not add up is refused with InputError, without a name in
/// front.
namespace crema::annotations {

/// COCO's compressed counts: five bits for each sign, from the third on as the difference to the last but
/// one.
std::vector<std::uint32_t> unpack_coco(std::string_view text);
std::string pack_coco(std::span<const std::uint32_t> counts);

/// Throws InputError unless the counts add up to the pixels of their box.
void check_sum(const Runs& runs);

/// Label Studio's brush: a packed picture of red, green, blue and transparency, row by row. A pixel is inside
/// where it is not fully transparent.
Runs unpack_brush(std::span<const std::uint8_t> bytes, Extent image);
std::vector<std::uint8_t> pack_brush(const Runs& rows);

}  // namespace crema::annotations
