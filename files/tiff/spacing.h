// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crema/base/warning.h"

namespace crema::files {

/// How long a pixel is, as the first page of a file says it.
struct TiffResolution {
  double across = 0, down = 0;  ///< pixels per unit; 0: not said
  int unit = 2;                 ///< ResolutionUnit: 1 none, 2 inch, 3 centimetre
  std::string description;      ///< ImageDescription
};

struct TiffSpacing {
  std::array<double, 3> millimetres{1, 1, 1};
  bool measured = false;  ///< the file states all of them, but for the distance of slices of one page
  Warnings warnings;
};

/// From the description where it is OME's; else from ResolutionUnit, or from ImageJ's own lines in the
/// description where that is "none". What is not said is 1 mm, with a warning where it is the distance of
/// slices.
TiffSpacing tiff_spacing(const TiffResolution& resolution, std::size_t pages,
                         const std::filesystem::path& path);

/// Throws InputError when the description states another number of images than there are pages, or
/// channels and times among them.
void check_description(std::string_view description, std::size_t pages, const std::filesystem::path& path);

}  // namespace crema::files
