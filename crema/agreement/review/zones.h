// SPDX-License-Identifier: Apache-2.0
// Where the raters of a component disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "crema/agreement/surfaces/parts.h"
#include "crema/reduction.h"

namespace crema {

/// So many voxels of a row of the component's tally.
struct ZoneRow {
  std::uint32_t row = 0;
  std::int64_t voxels = 0;

  friend bool operator==(const ZoneRow&, const ZoneRow&) = default;
};

/// Connected voxels of a component that some who drew anything in it drew, and others did not.
struct Zone {
  std::int64_t first = 0;  ///< its first voxel in raster order, by which it is known
  std::int64_t voxels = 0;
  Box box = {};
  std::vector<ZoneRow> rows = {};  ///< by row
};

/// The zones of a component in the order of their first voxels.
struct Zones {
  Parts parts;  ///< one for each zone
  std::vector<Zone> list;

  /// The voxels of a zone.
  [[nodiscard]] VoxelSet voxels_of(const Grid& grid, std::size_t zone) const;
};

/// Zones are connected by the neighbourhood of the reduction.
Zones find_zones(const Reduction& reduction, std::size_t component);

/// Zones that are needed more than once: kept in a small case, found anew in a large one, where they would
/// take memory. Several threads may ask, each for a component of its own.
class ZoneKeeper {
 public:
  explicit ZoneKeeper(const Reduction& reduction);

  /// Calls use(zones of the component).
  template <class Use>
  auto with(std::size_t component, Use use) {
    if (kept_.empty()) {
      const Zones zones = find_zones(*reduction_, component);
      return use(zones);
    }
    std::optional<Zones>& zones = kept_[component];
    if (!zones) zones = find_zones(*reduction_, component);
    return use(std::as_const(*zones));
  }

 private:
  const Reduction* reduction_;
  std::vector<std::optional<Zones>> kept_;  ///< empty: none are kept
};

/// The voxels of a component for which a test of their row's raters holds.
template <class Test>
VoxelSet voxels_where(const Reduction& reduction, std::size_t component, Test test) {
  const Crowns& crowns = reduction.crowns[component];
  const std::uint32_t* row = crowns.row_of_voxel.data();
  VoxelSet set;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[component])) {
    Run found{run.first, 0};
    const auto close = [&] {
      if (found.length > 0) set.runs.push_back(found);
      set.voxels += found.length;
    };
    for (std::int32_t i = 0; i < run.length; ++i) {
      if (test(crowns.tally.rows[*row++].raters)) {
        ++found.length;
        continue;
      }
      close();
      found = {run.first + i + 1, 0};
    }
    close();
  }
  return set;
}

}  // namespace crema
