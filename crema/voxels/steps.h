// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "crema/voxels/neighbourhood.h"
#include "crema/voxels/votes/kernels.h"

namespace crema {

/// Numbers of steps to the nearest source on a small box of voxels, for any neighbourhood.
///
/// A shortest way never turns back along an axis, so its steps can be taken in any order without leaving the
/// box: first those along x, then the others that go forwards in raster order, then those that go backwards.
/// So one sweep forwards and one backwards are exact, and each works on whole rows at once. Number is an
/// unsigned type that holds the longest way in the box plus two.
template <class Number>
class StepField {
 public:
  static constexpr Number kFar = std::numeric_limits<Number>::max() - 1;

  StepField(std::array<std::int32_t, 3> size, const Neighbourhood& neighbourhood)
      : size_(size), open_x_(neighbourhood.open[0]), steps_(preceding_rows(neighbourhood)) {
    // Rows are filled up to whole blocks: a box may be larger than requested.
    width_ = (static_cast<std::size_t>(size[0]) + kRowBlock - 1) / kRowBlock * kRowBlock;
    pitch_ = width_ + 1;
    cells_ = std::make_unique_for_overwrite<Number[]>(1 + pitch_ * static_cast<std::size_t>(size[1]) *
                                                              static_cast<std::size_t>(size[2]));
    least_.assign(pitch_ + 1, kFar);
  }

  /// The cells of row (y, z), from x = 0; a far cell lies before and after.
  Number* row(std::int32_t y, std::int32_t z) {
    return cells_.get() + 1 +
           pitch_ * (static_cast<std::size_t>(y) +
                     static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(z));
  }

  /// Gives every cell its number of steps. `mark(z)` sets the sources of slice z to 0; all other cells are
  /// far then.
  template <class Mark>
  void spread(Mark mark) {
    cells_[0] = kFar;
    for (std::int32_t z = 0; z < size_[2]; ++z) {
      std::fill_n(row(0, z), pitch_ * static_cast<std::size_t>(size_[1]), kFar);
      mark(z);
      if (open_x_)
        for (std::int32_t y = 0; y < size_[1]; ++y) spread_along(row(y, z));
      for (std::int32_t y = 0; y < size_[1]; ++y) visit<1>(y, z);
    }
    for (std::int32_t z = size_[2]; z-- > 0;)
      for (std::int32_t y = size_[1]; y-- > 0;) visit<-1>(y, z);
  }

 private:
  /// First cell in [x, end) that is not `value`, or end, on a row of sources and far cells; a word at a time.
  static std::ptrdiff_t skip(Number value, const Number* cells, std::ptrdiff_t x, std::ptrdiff_t end) {
    constexpr std::ptrdiff_t kCells = sizeof(std::uint64_t) / sizeof(Number);
    const std::uint64_t same = value * (~std::uint64_t{0} / std::numeric_limits<Number>::max());
    for (; end - x >= kCells; x += kCells) {
      std::uint64_t word = 0;
      std::memcpy(&word, cells + x, sizeof word);
      const std::uint64_t other = word ^ same;
      if (other != 0) return x + first_byte(other) / static_cast<std::ptrdiff_t>(sizeof(Number));
    }
    while (x < end && cells[x] == value) ++x;
    return x;
  }

  /// The place in memory of the first byte of a word that is not 0.
  static std::ptrdiff_t first_byte(std::uint64_t word) {
    return (std::endian::native == std::endian::little ? std::countr_zero(word) : std::countl_zero(word)) / 8;
  }

  /// The steps along a row of sources and far cells.
  void spread_along(Number* own) const {
    const std::ptrdiff_t n = size_[0];
    std::ptrdiff_t source = skip(kFar, own, 0, n);
    if (source == n) return;
    count_down(own, 0, source);
    while (true) {
      const std::ptrdiff_t gap = skip(0, own, source, n);
      if (gap == n) return;
      source = skip(kFar, own, gap, n);
      const std::ptrdiff_t middle = source == n ? n : gap + (source - gap) / 2;
      count_up(own, gap, middle);
      if (source == n) return;
      count_down(own, middle, source);
    }
  }

  static void count_up(Number* own, std::ptrdiff_t begin, std::ptrdiff_t end) {
    Number steps = 0;
    for (std::ptrdiff_t x = begin; x < end; ++x) own[x] = ++steps;
  }

  static void count_down(Number* own, std::ptrdiff_t begin, std::ptrdiff_t end) {
    auto steps = static_cast<Number>(end - begin);
    for (std::ptrdiff_t x = begin; x < end; ++x) own[x] = steps--;
  }

  /// Takes into row (y, z) what the rows before it (after it, backwards) know.
  template <int Direction>
  void visit(std::int32_t y, std::int32_t z) {
    Rows wide, narrow;
    for (const RowStep& step : steps_) {
      const std::int32_t oy = y + Direction * step.dy, oz = z + Direction * step.dz;
      if (oy < 0 || oy >= size_[1] || oz < 0 || oz >= size_[2]) continue;
      Rows& rows = step.wide ? wide : narrow;
      rows.at[rows.count++] = row(oy, oz);
    }
    if (wide.count > 0) kernels_.step_from_three(least(wide), row(y, z), width_);
    if (narrow.count > 0) kernels_.step_from_one(least(narrow), row(y, z), width_);
  }

  /// One to four rows.
  struct Rows {
    std::array<const Number*, 4> at{};
    std::size_t count = 0;
  };

  /// The least of the rows, cell by cell.
  const Number* least(const Rows& rows) {
    if (rows.count == 1) return rows.at[0];
    Number* const to = least_.data() + 1;
    kernels_.least(rows.at[0], rows.at[1], rows.at[rows.count / 2], rows.at[rows.count - 1], to, width_);
    return to;
  }

  std::array<std::int32_t, 3> size_;
  bool open_x_;
  std::vector<RowStep> steps_;
  const RowKernels<Number>& kernels_ = kernels().rows<Number>();
  std::size_t width_ = 0;
  std::size_t pitch_ = 0;
  std::unique_ptr<Number[]> cells_;
  std::vector<Number> least_;  ///< of several rows
};

}  // namespace crema
