// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "crema/tables/settings.h"
#include "files/files.h"

namespace crema::raters {

/// The image that the raters looked at.
struct GreyImage {
  std::vector<float> values;  ///< on the raters' grid, as the file has them after scaling; may be NaN
  Warnings warnings;
};

/// An image before its voxels are read.
struct GreyFile {
  files::Header header;
  files::Placement placement;
};

/// Throws InputError unless the image lies on all of the raters' grid; nothing is resampled.
GreyFile open_grey(const std::filesystem::path& path, const files::Header& reference,
                   const Settings& settings);

GreyImage read_grey(const GreyFile& file, const Grid& reference, const Settings& settings);

/// How values are seen beneath something else: black to white from the 1st to the 99th percentile of what is
/// shown, or of a part of it.
class GreyScale {
 public:
  explicit GreyScale(std::span<const float> shown);

  /// What is not finite is black.
  [[nodiscard]] std::uint8_t shade(float value) const;

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  double low_ = 0, high_ = 1;
};

}  // namespace crema::raters
