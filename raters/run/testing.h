// SPDX-License-Identifier: Apache-2.0
// Three raters of a row of eight voxels, counted as masks or as label maps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crema/labels/label_maps.h"
#include "raters/run/run.h"

namespace crema::raters {

using Drawn = std::vector<std::vector<std::uint8_t>>;

inline files::Header header_of(const Grid& grid) {
  files::Header header;
  header.grid = grid;
  return header;
}

/// The values that the raters give.
inline const Drawn kRow{{1, 1, 1, 0, 0, 2, 2, 0}, {1, 1, 0, 0, 2, 2, 2, 0}, {0, 1, 1, 1, 0, 2, 0, 0}};
inline const Grid kGrid{.size = {8, 1, 1}};

inline Case count_masks(const Drawn& drawn, const Settings& settings, Needs needs = Needs::distances) {
  const std::vector<Mask> masks(drawn.begin(), drawn.end());
  return count(from_memory(header_of(kGrid), masks, {"ann", "bob", "cleo"}, {"", "", ""}), settings, needs,
               {});
}

inline Case count_maps(const std::string& labels, const Drawn& rows = kRow) {
  std::vector<std::vector<Label>> maps;
  for (const auto& row : rows) maps.emplace_back(row.begin(), row.end());
  const std::vector<std::span<const Label>> spans(maps.begin(), maps.end());
  Settings settings;
  settings.labels = parse_labels(labels);
  return count(from_maps(header_of(kGrid), std::make_shared<const LabelMaps>(take_labels(kGrid, spans)),
                         {"ann", "bob", "cleo"}),
               settings, Needs::distances, {});
}

/// A mask of the voxels with that value.
inline Drawn masks_of(std::uint8_t value) {
  Drawn masks = kRow;
  for (auto& row : masks)
    for (std::uint8_t& voxel : row) voxel = voxel == value ? 1 : 0;
  return masks;
}

}  // namespace crema::raters
