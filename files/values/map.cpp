// SPDX-License-Identifier: Apache-2.0
#include "files/values/map.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "files/io/sentence.h"

namespace crema::files {

std::string advice_on_range(double least, double most, std::string_view logits) {
  constexpr double kLargestLogit = 100;
  if (least < 0 && std::max(-least, most) <= kLargestLogit)
    return "if these are logits, give " + Sentence::setting("logits", logits);
  return "leave it out if it is an image or holds labels, else rescale it";
}

Warnings warn_of_levels(double least, double most, const std::string& name) {
  if (!(least >= 0 && most <= 1)) return {};
  return {{fmt::format(
               "{}: holds values from {:.3g} to {:.3g}, like levels; leave out {} if they are not logits.",
               name, least, most, Sentence::setting("logits")),
           WarningKind::values}};
}

MapBuilder::MapBuilder(const ValueType& type, std::int64_t voxels, const ReadOptions& options)
    : type_(type),
      allowed_(options.map),
      sink_(options.levels),
      suggested_(options.channels ? "softmax" : "sigmoid") {
  if (sink_ == nullptr) levels_.reserve(static_cast<std::size_t>(voxels));
}

void MapBuilder::take(std::span<const std::uint8_t> stored) {
  const bool plain =
      type_.number == Number::float32 && !type_.swapped && type_.slope == 1 && type_.intercept == 0;
  if (sink_ != nullptr && plain && allowed_ == MapValues::levels) return take_floats(stored);
  take_any(stored);
}

/// Levels as they are stored, where all of a block are: as whole numbers, 0 to 1 are the bits below those
/// of 1.
void MapBuilder::take_floats(std::span<const std::uint8_t> stored) {
  constexpr std::uint32_t kOne = 0x3F800000;
  std::array<float, 4096> levels{};
  while (!stored.empty()) {
    const auto block = stored.first(std::min(stored.size(), sizeof(levels)));
    stored = stored.subspan(block.size());
    std::memcpy(levels.data(), block.data(), block.size());
    const auto part = std::span(levels).first(block.size() / sizeof(float));
    std::uint32_t strange = 0;
    for (const float level : part) strange |= std::bit_cast<std::uint32_t>(level) > kOne ? 1U : 0U;
    if (strange != 0 || census_.not_finite > 0) {
      take_any(block);
    } else {
      (*sink_)(handed_, part);
      handed_ += std::ssize(part);
    }
  }
}

void MapBuilder::take_any(std::span<const std::uint8_t> stored) {
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
      infinite_ = infinite_ || std::isinf(value);
      if (census_.not_finite++ == 0) census_.first_not_finite = handed_ + std::ssize(levels_);
    } else {
      census_.least = std::min(census_.least, value);
      census_.most = std::max(census_.most, value);
    }
    levels_.push_back(
        static_cast<float>(allowed_ == MapValues::levels ? std::clamp(value, 0.0, 1.0) : value));
  }
  if (sink_ == nullptr || census_.not_finite > 0) return;
  (*sink_)(handed_, levels_);
  handed_ += std::ssize(levels_);
  levels_.clear();
}

MapFile MapBuilder::finish(const std::filesystem::path& path, const Grid& grid) && {
  if (census_.not_finite > 0) {
    census_.first_not_finite %= grid.voxels();  // of its channel
    const bool overflow = infinite_ && allowed_ == MapValues::logits;
    refuse_not_finite(census_, path, grid,
                      overflow ? "float16 ends at 65504, so save logits as float32" : "");
  }
  MapFile file{std::move(levels_), {}};
  if (allowed_ == MapValues::logits) {
    file.warnings = warn_of_levels(census_.least, census_.most, printable(path));
    return file;
  }
  if (census_.least < -kLevelTolerance || census_.most > 1 + kLevelTolerance)
    refuse(path, "holds values from {:.6g} to {:.6g}, but a map holds levels from 0 to 1; {}", census_.least,
           census_.most,
           sink_ == nullptr ? "rescale it" : advice_on_range(census_.least, census_.most, suggested_));
  if (census_.least < 0 || census_.most > 1)
    file.warnings.push_back({sentence(path, "levels up to {} outside 0 to 1 were clamped", kLevelTolerance),
                             WarningKind::values});
  return file;
}

}  // namespace crema::files
