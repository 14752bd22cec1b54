// SPDX-License-Identifier: Apache-2.0
// What a DICOM segmentation says before its pixels.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "files/affine.h"
#include "files/files.h"
#include "files/io/source.h"

namespace crema::files::dicom {

enum class Kind : std::uint8_t { binary, fractional, label_map };

struct Segment {
  std::uint16_t number = 0;
  std::string label;
  std::string colour;  ///< three numbers from 0 to 1; empty: none
  Code category, type;
};

/// One frame of pixels.
struct Frame {
  std::optional<std::uint16_t> segment;  ///< its number; none in a label map
  std::optional<Vec> position;           ///< of its first pixel, towards left, posterior, superior
};

/// Where pixels lie; the same for all frames.
struct Measures {
  std::optional<std::array<double, 6>> orientation;  ///< along a row, then along a column
  std::optional<std::array<double, 2>> pixel;        ///< between rows, then between columns
  std::optional<double> between_slices, thickness;
};

struct Segmentation {
  Kind kind = Kind::binary;
  std::int32_t rows = 0, columns = 0;
  std::int64_t frame_count = 0;
  int bits = 1;  ///< of a pixel
  double maximum = 1;
  std::vector<Segment> segments;
  std::vector<Frame> frames;
  Measures measures;
  std::string frame_of_reference;  ///< identifies the space that positions are of; empty: not stated
  std::int64_t pixels = 0;         ///< offset of the first one in the file
  bool consensus = false;
  Warnings warnings;

  [[nodiscard]] std::int64_t frame_pixels() const { return std::int64_t{rows} * columns; }
};

struct Attributes;

/// Concludes everything but the pixels. Refuses what is no segmentation, is tiled or compressed, and what the
/// file cannot hold.
Segmentation read_segmentation(Attributes found, const std::filesystem::path& path);

}  // namespace crema::files::dicom
