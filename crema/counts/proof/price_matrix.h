// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crema {

/// A symmetric matrix over the prices of the raters and that of the extent, of which the half above the
/// diagonal is kept: element (i, j), i ≤ j, is at [i * stride + j]. What lies below it means nothing.
struct PriceMatrix {
  static constexpr std::size_t kLanes = 16;

  std::size_t width = 0, stride = 0;  ///< stride: a multiple of kLanes
  std::vector<double> cells = {};

  /// All zero.
  void clear(std::size_t new_width);

  double& at(std::size_t i, std::size_t j) { return cells[i * stride + j]; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return cells[i * stride + j]; }
};

/// Adds numbers to the elements of all pairs of a group's raters, some groups at a time: each element gets
/// the terms in the order in which they came.
class PairSums {
 public:
  explicit PairSums(PriceMatrix& matrix);
  void add(std::span<const std::uint32_t> members, double term);
  /// To be called once at the end.
  void flush();

 private:
  static constexpr std::size_t kGroups = 32;

  PriceMatrix& matrix_;
  std::size_t waiting_ = 0;
  std::vector<double> terms_;               ///< a row for each group: the term at its raters
  std::array<std::uint32_t, 64> groups_{};  ///< of each rater, as bits
};

/// Solves (matrix / (scale × scale) + damping) · x = right in place, by Cholesky.
void solve_scaled(PriceMatrix matrix, std::span<const double> scale, std::vector<double>& x, double damping);

}  // namespace crema
