// SPDX-License-Identifier: Apache-2.0
#include "raters/read/grey_image.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crema/agreement/percentile.h"
#include "crema/base/error.h"

namespace crema::raters {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw InputError(
      fmt::format("{} The image must be on the raters' grid; {} puts the raters on the image's grid.", reason,
                  Sentence::setting("like", files::printable(path))));
}

}  // namespace

GreyFile open_grey(const std::filesystem::path& path, const files::Header& reference,
                   const Settings& settings) {
  GreyFile file{.header = files::read_header(path, {.max_memory = settings.max_memory}), .placement = {}};
  try {
    file.placement = files::place(reference, file.header);
  } catch (const InputError& error) {
    refuse(path, error.sentence.marked());
  }
  if (file.header.grid.voxels() != reference.grid.voxels())
    refuse(path, fmt::format("{}: is {} voxels, but the raters' grid is {}.", files::printable(path),
                             fmt::join(file.header.grid.size, " × "), fmt::join(reference.grid.size, " × ")));
  return file;
}

GreyImage read_grey(const GreyFile& file, const Grid& reference, const Settings& settings) {
  files::MapFile map =
      files::read_map(file.header, {.max_memory = settings.max_memory, .map = files::MapValues::any});
  GreyImage image;
  append(image.warnings, file.header.warnings);
  append(image.warnings, file.placement.warnings);
  append(image.warnings, map.warnings);
  image.values = files::apply(file.placement, reference, file.header.grid, std::move(map.levels));
  return image;
}

GreyScale::GreyScale(std::span<const float> shown) {
  std::vector<double> finite;
  for (const float value : shown)
    if (std::isfinite(value)) finite.push_back(value);
  if (finite.empty()) return;
  low_ = percentile(finite, 0.01);
  high_ = std::max(percentile(finite, 0.99), low_ + 1e-30);
}

std::uint8_t GreyScale::shade(float value) const {
  const double share = std::isfinite(value) ? (value - low_) / (high_ - low_) : 0;
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

}  // namespace crema::raters
