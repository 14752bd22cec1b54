// SPDX-License-Identifier: Apache-2.0
// Places of structures, from 1: which one a label belongs to, which values show it, and in which of its
// components a voxel lies. Tables, so that many labels cost no more than few.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "crema/labels/structures.h"

namespace crema {

/// A table by label: the place of the structure that it belongs to, 0 where it belongs to none of the chosen.
/// Of structures inside each other the one behind the others has it.
std::vector<Label> places_of_labels(const LabelCounts& counts, std::span<const std::size_t> chosen);
std::vector<Label> places_of_labels(const LabelCounts& counts);

/// All structures, in their order.
std::vector<std::size_t> all_structures(const LabelCounts& counts);

/// For each structure the values that its voxels have in an image of labels: its own, and those of what lies
/// inside it.
std::vector<std::vector<Label>> values_shown(const LabelCounts& counts);
/// The same for one of them.
std::vector<Label> values_shown(const LabelCounts& counts, std::size_t s);

/// Finds the component of a structure in which a voxel lies; fast for voxels in raster order.
class ComponentFinder {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Found {
    std::uint32_t component = kNone;
    std::int64_t end = 0;  ///< the first voxel behind it for which the answer may be another
  };

  explicit ComponentFinder(const Components& components);

  Found find(std::int64_t voxel);

 private:
  struct OwnedRun {
    std::int64_t first;
    std::int32_t length;
    std::uint32_t component;
  };

  [[nodiscard]] static std::int64_t end_of(const OwnedRun& run) { return run.first + run.length; }

  std::vector<OwnedRun> runs_;  ///< in raster order
  std::size_t next_ = 0;        ///< the first run that ends behind the voxel of the last question
};

}  // namespace crema
