// SPDX-License-Identifier: Apache-2.0
#include "files/values/map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "files/io/sentence.h"

namespace crema::files {

MapBuilder::MapBuilder(const ValueType& type, std::int64_t voxels, MapValues allowed)
    : type_(type), allowed_(allowed) {
  levels_.reserve(static_cast<std::size_t>(voxels));
}

void MapBuilder::take(std::span<const std::uint8_t> stored) {
  const std::size_t size = bytes_of(type_.number);
  std::array<double, 1024> values{};
  while (!stored.empty()) {
    const auto block = stored.first(std::min(stored.size(), values.size() * size));
    stored = stored.subspan(block.size());
    const auto part = std::span(values).first(block.size() / size);
    read_values(block, type_, part);
    take_values(part);
  }
}

void MapBuilder::take_values(std::span<const double> values) {
  if (allowed_ == MapValues::any) {
    for (const double value : values) levels_.push_back(static_cast<float>(value));
    return;
  }
  for (const double value : values) {
    if (!std::isfinite(value)) {
      if (census_.not_finite++ == 0) census_.first_not_finite = static_cast<std::int64_t>(levels_.size());
    } else {
      census_.least = std::min(census_.least, value);
      census_.most = std::max(census_.most, value);
    }
    levels_.push_back(static_cast<float>(std::clamp(value, 0.0, 1.0)));
  }
}

MapFile MapBuilder::finish(const std::filesystem::path& path, const Grid& grid) && {
  if (census_.not_finite > 0) refuse_not_finite(census_, path, grid);
  if (census_.least < -kLevelTolerance || census_.most > 1 + kLevelTolerance)
    refuse(path, "holds values from {:.6g} to {:.6g}, but a map holds levels from 0 to 1; rescale it",
           census_.least, census_.most);
  MapFile file{std::move(levels_), {}};
  if (census_.least < 0 || census_.most > 1)
    file.warnings.push_back(sentence(path, "levels up to {} outside 0 to 1 were clamped", kLevelTolerance));
  return file;
}

}  // namespace crema::files
