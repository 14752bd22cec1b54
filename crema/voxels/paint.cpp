// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/paint.h"

#include <cmath>

namespace crema {
namespace {

template <class Value>
void paint_rows(std::span<const Run> runs, const std::vector<std::uint32_t>& row_of_voxel,
                const std::vector<Value>& value_of_row, Canvas<Value>& image) {
  const std::uint32_t* row = row_of_voxel.data();
  for (const Run& run : runs)
    for (Value& value :
         image.paint(static_cast<std::size_t>(run.first), static_cast<std::size_t>(run.length)))
      value = value_of_row[*row++];
}

/// Rows that are taken in part: their first voxels in raster order.
void paint_parts(std::span<const Run> runs, const Crowns& crowns, const Levels& levels, HardImage& image) {
  std::vector<std::int64_t> left(levels.size(), 0);
  std::int64_t all = 0;
  for (std::size_t r = 0; r < levels.size(); ++r) {
    if (levels[r] == 0 || levels[r] == 1) continue;
    left[r] = std::llround(levels[r] * static_cast<double>(crowns.tally.rows[r].voxels));
    all += left[r];
  }
  const std::uint32_t* row = crowns.row_of_voxel.data();
  for (auto run = runs.begin(); all > 0 && run != runs.end(); ++run)
    for (std::int32_t i = 0; i < run->length; ++i, ++row)
      if (left[*row] > 0) {
        --left[*row];
        --all;
        image[static_cast<std::size_t>(run->first + i)] = 1;
      }
}

}  // namespace

void paint_component(const Components& components, const Component& component, const Crowns& crowns,
                     const Levels& levels, Image& image) {
  const auto runs = components.runs_of(component);
  if (auto* hard = std::get_if<HardImage>(&image)) {
    std::vector<std::uint8_t> values;
    values.reserve(levels.size());
    for (const double level : levels) values.push_back(level == 1 ? 1 : 0);
    paint_rows(runs, crowns.row_of_voxel, values, *hard);
    paint_parts(runs, crowns, levels, *hard);
  } else {
    const std::vector<float> values(levels.begin(), levels.end());
    paint_rows(runs, crowns.row_of_voxel, values, std::get<SoftImage>(image));
  }
}

}  // namespace crema
