// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "crema/image/canvas.h"
#include "crema/image/grid.h"

namespace crema {

/// A rater's mask, borrowed: one byte per voxel, non-zero is inside.
using Mask = std::span<const std::uint8_t>;

/// What a method paints: 0/1 per voxel, or a level in [0,1] per voxel.
using HardImage = Canvas<std::uint8_t>;
using SoftImage = Canvas<float>;
/// What several labels make of an image: one label per voxel, 0 is background.
using LabelImage = Canvas<std::uint16_t>;
using Image = std::variant<HardImage, SoftImage, LabelImage>;

}  // namespace crema
