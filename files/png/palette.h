// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/png/plane.h"

namespace crema::files {

/// The same as mask_plane, for samples that are numbers of palette entries.
PngPlane palette_plane(const PngPixels& pixels, PlaneUse use, const ReadOptions& options,
                       const std::filesystem::path& path);

}  // namespace crema::files
