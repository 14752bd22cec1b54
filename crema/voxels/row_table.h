// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"

namespace crema {

/// Counts of the voxels of each (distance, raters), and later the number of its row: one entry for each pair
/// that can be. For few raters and small distances.
class DirectTable {
 public:
  /// How many entries are needed for distances below `bound`.
  static std::uint64_t entries(std::uint64_t bound, int raters) { return bound << raters; }

  DirectTable(std::uint64_t bound, int raters)
      : raters_(raters), entries_(static_cast<std::size_t>(entries(bound, raters)), 0) {}

  void count(std::uint32_t distance, Raters raters) { ++entries_[place(distance, raters)]; }

  /// The rows that were counted, sorted by (distance, raters).
  [[nodiscard]] std::vector<Subcrown> rows() const {
    std::vector<Subcrown> rows;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i] != 0)
        rows.push_back({static_cast<std::int32_t>(i >> raters_), i & ((Raters{1} << raters_) - 1),
                        static_cast<std::int64_t>(entries_[i])});
    return rows;
  }

  /// From now on find() returns the index of a row in `rows`.
  void number(const std::vector<Subcrown>& rows) {
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      entries_[place(static_cast<std::uint32_t>(rows[i].distance), rows[i].raters)] = i;
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t distance, Raters raters) const {
    return entries_[place(distance, raters)];
  }

 private:
  [[nodiscard]] std::size_t place(std::uint32_t distance, Raters raters) const {
    return static_cast<std::size_t>((std::uint64_t{distance} << raters_) | raters);
  }

  int raters_;
  std::vector<std::uint32_t> entries_;
};

/// The same for any number of raters and any distance, by hashing.
class HashTable {
 public:
  HashTable() : slots_(64, kNone) {}

  void count(std::uint32_t distance, Raters raters, std::int64_t voxels = 1) {
    // Neighbours along an image row mostly share their row of the tally.
    if (last_ >= rows_.size() || !same(rows_[last_], distance, raters)) last_ = insert(distance, raters);
    rows_[last_].voxels += voxels;
  }

  /// Forgets what was counted, but keeps the memory it took.
  void clear() {
    slots_.assign(slots_.size(), kNone);
    rows_.clear();
    last_ = 0;
  }

  /// The rows that were counted, in the order in which they were first met.
  [[nodiscard]] const std::vector<Subcrown>& rows() const { return rows_; }

  /// From now on find() returns the index of a row in `rows`.
  void number(const std::vector<Subcrown>& rows) {
    *this = HashTable();
    for (const Subcrown& row : rows) insert(static_cast<std::uint32_t>(row.distance), row.raters);
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t distance, Raters raters) const {
    return slots_[place(distance, raters)];
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  static bool same(const Subcrown& row, std::uint32_t distance, Raters raters) {
    return row.distance == static_cast<std::int32_t>(distance) && row.raters == raters;
  }

  /// The slot that holds the row, or the empty one where it belongs.
  [[nodiscard]] std::size_t place(std::uint32_t distance, Raters raters) const {
    std::uint64_t h = (raters + 0x9E3779B97F4A7C15ULL * distance) * 0xD6E8FEB86659FD93ULL;
    h ^= h >> 32;
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(h * 0xD6E8FEB86659FD93ULL >> 32) & last;
    while (slots_[slot] != kNone && !same(rows_[slots_[slot]], distance, raters)) slot = (slot + 1) & last;
    return slot;
  }

  /// The number of the row, which is made when it is new.
  std::uint32_t insert(std::uint32_t distance, Raters raters) {
    if (rows_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[place(distance, raters)];
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back({static_cast<std::int32_t>(distance), raters, 0});
    }
    return slot;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, kNone);
    for (std::uint32_t i = 0; i < rows_.size(); ++i)
      slots_[place(static_cast<std::uint32_t>(rows_[i].distance), rows_[i].raters)] = i;
  }

  std::vector<std::uint32_t> slots_;
  std::vector<Subcrown> rows_;
  std::uint32_t last_ = 0;
};

}  // namespace crema
