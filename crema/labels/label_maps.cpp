// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/label_maps.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema {
namespace {

constexpr std::size_t kStretch = 512;
constexpr std::int32_t kLongest = 1 << 30;

bool empty(std::span<const Label> part) {
  Label any = 0;
  for (const Label label : part) any = static_cast<Label>(any | label);
  return any == 0;
}

/// Where the label of a voxel ends; four voxels at a time.
std::size_t end_of_run(std::span<const Label> part, std::size_t begin) {
  constexpr std::size_t kAtOnce = sizeof(std::uint64_t) / sizeof(Label);
  const Label label = part[begin];
  const std::uint64_t same = label * std::uint64_t{0x0001000100010001};
  std::size_t end = begin + 1;
  for (std::uint64_t four = same; end + kAtOnce <= part.size(); end += kAtOnce) {
    std::memcpy(&four, part.data() + end, sizeof four);
    if (four != same) break;
  }
  while (end < part.size() && part[end] == label) ++end;
  return end;
}

/// A run that goes on over the end of a row takes whole rows.
Box box_of(const LabelRun& run, const Grid& grid) {
  const auto [x0, y0, z0] = grid.point(run.first);
  const auto [x1, y1, z1] = grid.point(run.first + run.length - 1);
  const bool rows = y0 != y1 || z0 != z1;
  return {{rows ? 0 : x0, z0 != z1 ? 0 : y0, z0},
          {rows ? grid.size[0] : x1 + 1, z0 != z1 ? grid.size[1] : y1 + 1, z1 + 1}};
}

}  // namespace

void LabelRuns::take(std::int64_t first, std::span<const Label> part) {
  while (!part.empty()) {
    const std::span<const Label> piece = part.first(std::min(part.size(), kStretch));
    for (std::size_t i = empty(piece) ? piece.size() : 0; i < piece.size();) {
      const Label label = piece[i];
      const std::size_t end = end_of_run(piece, i);
      if (label != 0) {
        const auto length = static_cast<std::int32_t>(end - i);
        const std::int64_t at = first + static_cast<std::int64_t>(i);
        if (!runs_.empty() && runs_.back().label == label && runs_.back().first + runs_.back().length == at &&
            runs_.back().length < kLongest)
          runs_.back().length += length;
        else
          runs_.push_back({at, length, label});
      }
      i = end;
    }
    first += static_cast<std::int64_t>(piece.size());
    part = part.subspan(piece.size());
  }
}

std::int64_t LabelRuns::sort() {
  std::stable_sort(runs_.begin(), runs_.end(),
                   [](const LabelRun& a, const LabelRun& b) { return a.first < b.first; });
  std::int64_t shared = 0, end = 0;
  for (const LabelRun& run : runs_) {
    const std::int64_t own_end = run.first + run.length;
    shared += std::max<std::int64_t>(0, std::min(end, own_end) - run.first);
    end = std::max(end, own_end);
  }
  return shared;
}

std::vector<LabelExtent> labels_in(const LabelMaps& maps) {
  std::vector<LabelExtent> all(std::size_t{1} << 16);
  for (std::size_t k = 0; k < maps.raters.size(); ++k)
    for (const LabelRun& run : maps.raters[k].runs()) {
      LabelExtent& extent = all[run.label];
      extent.label = run.label;
      extent.raters |= Raters{1} << k;
      extent.voxels += run.length;
      extent.box = united(extent.box, box_of(run, maps.grid));
    }
  std::erase_if(all, [](const LabelExtent& extent) { return extent.voxels == 0; });
  return all;
}

LabelMaps take_labels(const Grid& grid, std::span<const std::span<const Label>> maps) {
  LabelMaps taken{grid, std::vector<LabelRuns>(maps.size())};
  for (std::size_t k = 0; k < maps.size(); ++k) {
    if (std::ssize(maps[k]) != grid.voxels())
      throw InputError(
          fmt::format("rater {}: the label map has {} voxels, but the grid has {}; all must lie on one grid",
                      k + 1, maps[k].size(), grid.voxels()));
    taken.raters[k].take(0, maps[k]);
  }
  return taken;
}

}  // namespace crema
