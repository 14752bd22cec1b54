// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "crema/base/warning.h"
#include "files/files.h"

namespace crema::files {

/// What the Pixels of an OME description say of an image. Nothing of XML is looked at beyond that one tag.
struct OmePixels {
  std::array<std::optional<double>, 3> millimetres;  ///< between pixels along x, y, z
  std::optional<double> slices, channels, instants;  ///< SizeZ, SizeC, SizeT
  Warnings warnings;                                 ///< about units that are not known
};

/// Nothing when the text is no such description.
std::optional<OmePixels> read_ome(std::string_view description, const std::filesystem::path& path);

}  // namespace crema::files
