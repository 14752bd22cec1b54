// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace crema::files::dicom {

/// CIELab as DICOM stores it (16 bits each) as sRGB from 0 to 1: "0.901961 0.411765 0.176471".
std::string rgb_text(std::span<const std::uint16_t> lab);

/// The other way round, from the text of a segment's colour; grey where it is no colour.
std::array<std::uint16_t, 3> lab_of(const std::string& rgb);

}  // namespace crema::files::dicom
