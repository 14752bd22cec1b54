// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

/// Rows of a tally in the order in which they were first met, found again by hashing.
class RowTable {
 public:
  RowTable() : slots_(16, kNone) {}

  /// The number of the row (distance, raters), which is made when it is new, and counted up by `voxels`.
  std::uint32_t count(std::int32_t distance, Raters raters, std::int64_t voxels) {
    // Neighbours along an image row mostly share their row of the tally.
    if (last_ < rows_.size() && rows_[last_].distance == distance && rows_[last_].raters == raters) {
      rows_[last_].voxels += voxels;
      return last_;
    }
    std::size_t slot = place(distance, raters);
    while (slots_[slot] != kNone &&
           !(rows_[slots_[slot]].distance == distance && rows_[slots_[slot]].raters == raters))
      slot = (slot + 1) & (slots_.size() - 1);
    if (slots_[slot] == kNone) {
      slots_[slot] = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back({distance, raters, 0});
      last_ = slots_[slot];
      if (rows_.size() * 2 > slots_.size()) grow();
    } else {
      last_ = slots_[slot];
    }
    rows_[last_].voxels += voxels;
    return last_;
  }

  [[nodiscard]] const std::vector<Subcrown>& rows() const { return rows_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  [[nodiscard]] std::size_t place(std::int32_t distance, Raters raters) const {
    std::uint64_t h =
        (raters + 0x9E3779B97F4A7C15ULL * static_cast<std::uint32_t>(distance)) * 0xD6E8FEB86659FD93ULL;
    h ^= h >> 32;
    return static_cast<std::size_t>(h * 0xD6E8FEB86659FD93ULL >> 32) & (slots_.size() - 1);
  }

  void grow() {
    slots_.assign(slots_.size() * 4, kNone);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      std::size_t slot = place(rows_[i].distance, rows_[i].raters);
      while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }

  std::vector<std::uint32_t> slots_;
  std::vector<Subcrown> rows_;
  std::uint32_t last_ = 0;
};

}  // namespace crema
