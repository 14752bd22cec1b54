// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/image/image.h"
#include "crema/voxels/components.h"
#include "crema/voxels/crowns.h"

namespace crema {

/// Writes the level of its row into each voxel of a component. Hard images hold 1 where the level is above
/// 0.5.
void paint_component(const Components& components, const Component& component, const Crowns& crowns,
                     const Levels& levels, Image& image);

}  // namespace crema
