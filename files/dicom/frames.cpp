// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/frames.h"

#include <algorithm>
#include <cmath>

namespace crema::files::dicom {

namespace {

template <class Voxel>
PackedFrames pack(const Canvas<Voxel>& image, const Header& reference,
                  const std::vector<SegmentInfo>& segments) {
  const auto& size = reference.grid.size;
  const auto pixels = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
  const auto voxels = static_cast<std::size_t>(reference.grid.voxels());
  PackedFrames frames;
  std::size_t bit = 0;
  const auto add = [&](std::uint32_t segment, std::int32_t z, const Voxel* slice, Voxel value) {
    frames.places.push_back({segment, z});
    frames.bytes.resize((bit + pixels + 7) / 8);
    for (std::size_t i = 0; i < pixels; ++i, ++bit)
      if (slice[i] == value)
        frames.bytes[bit / 8] = static_cast<std::uint8_t>(frames.bytes[bit / 8] | 1U << bit % 8);
  };
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto value = static_cast<Voxel>(segments[s].value);
    const Voxel* slice = image.data() + static_cast<std::size_t>(segments[s].layer) * voxels;
    for (std::int32_t z = 0; z < size[2]; ++z, slice += pixels)
      if (reference.every_slice || std::find(slice, slice + pixels, value) != slice + pixels)
        add(static_cast<std::uint32_t>(s), z, slice, value);
  }
  if (frames.places.empty()) {
    frames.places.push_back({});
    frames.bytes.resize((pixels + 7) / 8);
  }
  return frames;
}

/// Levels that are rounded to nothing are none.
PackedFrames pack_levels(const SoftImage& image, const Header& reference,
                         const std::vector<SegmentInfo>& segments) {
  const auto& size = reference.grid.size;
  const auto pixels = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
  const auto voxels = static_cast<std::size_t>(reference.grid.voxels());
  PackedFrames frames;
  frames.depth = 8;
  std::vector<std::uint8_t> stored(pixels);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const float* slice = image.data() + static_cast<std::size_t>(segments[s].layer) * voxels;
    for (std::int32_t z = 0; z < size[2]; ++z, slice += pixels) {
      std::transform(slice, slice + pixels, stored.begin(), [](float level) {
        return static_cast<std::uint8_t>(std::lround(std::clamp(level, 0.0F, 1.0F) * kWhole));
      });
      if (!reference.every_slice && std::all_of(stored.begin(), stored.end(), [](auto v) { return v == 0; }))
        continue;
      frames.places.push_back({static_cast<std::uint32_t>(s), z});
      frames.bytes.insert(frames.bytes.end(), stored.begin(), stored.end());
    }
  }
  if (frames.places.empty()) {
    frames.places.push_back({});
    frames.bytes.resize(pixels);
  }
  return frames;
}

}  // namespace

PackedFrames pack_frames(const Image& image, const Header& reference,
                         const std::vector<SegmentInfo>& segments) {
  if (const auto* const levels = std::get_if<SoftImage>(&image))
    return pack_levels(*levels, reference, segments);
  if (const auto* const labels = std::get_if<LabelImage>(&image)) return pack(*labels, reference, segments);
  return pack(std::get<HardImage>(image), reference, segments);
}

}  // namespace crema::files::dicom
