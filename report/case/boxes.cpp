// SPDX-License-Identifier: Apache-2.0
// Which part of the image a page holds, and the image there.
#include <algorithm>
#include <cmath>
#include <limits>

#include "crema/levels/level_maps.h"
#include "crema/reduction.h"
#include "report/case/cropped.h"
#include "report/case/payload.h"
#include "report/case/report.h"

namespace crema::report {
namespace {

/// What values lie between, and whether all of them are whole numbers.
struct Extent {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  bool whole = true;

  void take(float value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
    whole = whole && value == std::floor(value);
  }
};

/// Steps of one where that loses nothing, else 65 535 steps of equal size.
void choose_steps(const Extent& extent, GreyPart& part) {
  if (extent.low > extent.high) return;
  const double range = static_cast<double>(extent.high) - static_cast<double>(extent.low);
  part.low = static_cast<double>(extent.low);
  part.step = (extent.whole && range <= 65535) || range == 0 ? 1 : range / 65535;
  part.bytes = range / part.step <= 255 ? 1 : 2;
}

/// What is not finite is as low as the lowest value.
std::uint32_t code_of(float value, const GreyPart& part) {
  if (!std::isfinite(value)) return 0;
  return static_cast<std::uint32_t>(std::lround((static_cast<double>(value) - part.low) / part.step));
}

/// Every eighth voxel of what was drawn and of 3 mm around it, one after the other.
std::vector<float> values_around_masks(const raters::Case& counted, const std::vector<float>& values) {
  constexpr double kAround = 3;
  const Grid& grid = counted.counts.grid();
  std::vector<float> some;
  std::size_t n = 0;
  const auto take = [&](Box box) {
    for (std::size_t a = 0; a < 3; ++a) {
      const auto margin =
          static_cast<std::int32_t>(std::clamp(std::round(kAround / grid.spacing[a]), 1.0, 10.0));
      box.low[a] = std::max(0, box.low[a] - margin);
      box.high[a] = std::min(grid.size[a], box.high[a] + margin);
    }
    for (std::int64_t z = box.low[2]; z < box.high[2]; ++z)
      for (std::int64_t y = box.low[1]; y < box.high[1]; ++y)
        for (std::int64_t x = box.low[0]; x < box.high[0]; ++x)
          if ((n++ & 7U) == 0)
            some.push_back(values[static_cast<std::size_t>((z * grid.size[1] + y) * grid.size[0] + x)]);
  };
  for (std::size_t s = 0; s < counted.structures(); ++s)
    for (const Component& component : counted.reduction(s).components.list) take(component.box);
  return some;
}

/// `around` are the values that the window is of; none: those of every eighth voxel.
GreyPart grey_part(const std::vector<float>& values, const Cropped& cropped, std::vector<float> around) {
  GreyPart part;
  const auto each = [&](auto f) {
    cropped.each_row([&](const Run& run) {
      cropped.each(run, [&](std::size_t place, std::size_t i) {
        f(place, values[static_cast<std::size_t>(run.first) + i]);
      });
    });
  };
  Extent extent;
  const bool anywhere = around.empty();
  each([&](std::size_t place, float value) {
    extent.take(value);
    if (anywhere && (place & 7U) == 0) around.push_back(value);
  });
  choose_steps(extent, part);
  const raters::GreyScale scale(around);
  part.window = {scale.low(), scale.high()};
  part.planes.resize(cropped.voxels() * static_cast<std::size_t>(part.bytes));
  each([&](std::size_t place, float value) {
    const std::uint32_t code = code_of(value, part);
    part.planes[place] = static_cast<std::uint8_t>(code);
    if (part.bytes == 2) part.planes[place + cropped.voxels()] = static_cast<std::uint8_t>(code >> 8U);
  });
  return part;
}

}  // namespace

Box shown_box(const Reduction& reduction, bool image, const std::optional<Slices>& slices) {
  Box box{reduction.grid.size, {0, 0, 0}};
  for (const Component& component : reduction.components.list) box = united(box, component.box);
  if (reduction.levels)
    for (const LevelPart& part : reduction.levels->parts)
      for (const Run& run : part.runs) box = united(box, box_of(run, reduction.grid));
  if (image && reduction.grid.flat()) return {{0, 0, 0}, reduction.grid.size};
  for (std::size_t a = 0; a < 3; ++a) {
    const double wide = image ? 12 : 2;
    const auto margin =
        static_cast<std::int32_t>(std::clamp(std::round(wide / reduction.grid.spacing[a]), 1.0, 40.0));
    box.low[a] = std::max(0, box.low[a] - margin);
    box.high[a] = std::min(reduction.grid.size[a], box.high[a] + margin);
  }
  if (slices) {
    const auto a = static_cast<std::size_t>(slices->axis);
    box.low[a] = std::max(box.low[a], slices->first);
    box.high[a] = std::max(box.low[a] + 1, std::min(box.high[a], slices->last + 1));
  }
  return box;
}

Box box_of_all(const raters::Case& counted, const PageFacts& facts) {
  Box all{counted.counts.grid().size, {0, 0, 0}};
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    if (counted.reduction(s).crowns.empty()) continue;
    all = united(all, shown_box(counted.reduction(s), facts.pictured(), facts.slices));
  }
  return all;
}

GreyPart grey_of_all(const raters::Case& counted, const PageFacts& facts) {
  if (facts.image == nullptr) return {};
  const Box box = box_of_all(counted, facts);
  return grey_part(facts.image->values, Cropped(counted.counts.grid(), box),
                   values_around_masks(counted, facts.image->values));
}

}  // namespace crema::report
