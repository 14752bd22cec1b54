// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "files/files.h"

namespace crema::files::dicom {

/// What a level of 1 is stored as.
inline constexpr std::uint16_t kWhole = 255;

struct FramePlace {
  std::uint32_t segment = 0;
  std::int32_t z = 0;
};

/// The frames of an image in which anything is drawn, or all where the reference wants every slice, and their
/// pixels, which run on from one to the next: as bits, or as levels in steps of 1/255; one empty frame where
/// there would be none.
struct PackedFrames {
  std::vector<FramePlace> places;
  std::vector<std::uint8_t> bytes;
  std::uint16_t depth = 1;  ///< bits of a pixel
};

PackedFrames pack_frames(const Image& image, const Header& reference,
                         const std::vector<SegmentInfo>& segments);

}  // namespace crema::files::dicom
