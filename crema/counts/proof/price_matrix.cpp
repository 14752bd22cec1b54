// SPDX-License-Identifier: Apache-2.0
// Every sum has one order, whatever the width of the processor's instructions: several elements are worked on
// at once, never several terms of one.
#include "crema/counts/proof/price_matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "crema/counts/processor.h"

namespace crema {
namespace {

constexpr std::size_t kLanes = PriceMatrix::kLanes;
using Lanes = std::array<double, kLanes>;

/// Where the lanes begin that hold the diagonal.
constexpr std::size_t first_lane(std::size_t row) { return row / kLanes * kLanes; }

/// Adds so many elements of the rows of those groups.
template <std::size_t Count>
[[gnu::always_inline]] inline void add_rows(double* row, const double* terms, std::size_t stride,
                                            std::uint32_t groups) {
  std::array<double, Count> sums{};
  for (std::size_t l = 0; l < Count; ++l) sums[l] = row[l];
  for (std::uint32_t left = groups; left != 0; left &= left - 1) {
    const double* const own = terms + static_cast<std::size_t>(std::countr_zero(left)) * stride;
    for (std::size_t l = 0; l < Count; ++l) sums[l] += own[l];
  }
  for (std::size_t l = 0; l < Count; ++l) row[l] = sums[l];
}

/// Adds the rows of those groups: many elements at once, since each waits for its last sum.
CREMA_FOR_EACH_PROCESSOR void add_groups(double* row, std::size_t begin, std::size_t end, std::size_t stride,
                                         const double* terms, std::uint32_t groups) {
  std::size_t at = begin;
  for (; end > at + kLanes; at += 2 * kLanes) add_rows<2 * kLanes>(row + at, terms + at, stride, groups);
  if (at < end) add_rows<kLanes>(row + at, terms + at, stride, groups);
}

CREMA_FOR_EACH_PROCESSOR void factorise(double* cells, std::size_t width, std::size_t stride,
                                        double damping) {
  for (std::size_t j = 0; j < width; ++j) {
    double* const row = cells + j * stride;
    for (std::size_t at = first_lane(j); at < stride; at += kLanes) {
      Lanes sums;
      for (std::size_t l = 0; l < kLanes; ++l) sums[l] = row[at + l];
      for (std::size_t k = 0; k < j; ++k) {
        const double* const above = cells + k * stride;
        const double factor = above[j];
        for (std::size_t l = 0; l < kLanes; ++l) sums[l] -= above[at + l] * factor;
      }
      for (std::size_t l = 0; l < kLanes; ++l) row[at + l] = sums[l];
    }
    const double pivot = std::sqrt(std::max(row[j], damping));
    for (std::size_t i = j + 1; i < width; ++i) row[i] /= pivot;
    row[j] = pivot;
  }
}

CREMA_FOR_EACH_PROCESSOR void divide_by(double* row, const double* scale, double own, std::size_t begin,
                                        std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) row[i] /= scale[i] * own;
}

}  // namespace

void PriceMatrix::clear(std::size_t new_width) {
  width = new_width;
  stride = (width + kLanes - 1) / kLanes * kLanes;
  cells.assign(width * stride, 0);
}

PairSums::PairSums(PriceMatrix& matrix) : matrix_(matrix), terms_(kGroups * matrix.stride, 0) {}

void PairSums::add(std::span<const std::uint32_t> members, double term) {
  for (const std::uint32_t k : members) {
    terms_[waiting_ * matrix_.stride + k] = term;
    groups_[k] |= std::uint32_t{1} << waiting_;
  }
  if (++waiting_ == kGroups) flush();
}

void PairSums::flush() {
  if (waiting_ == 0) return;
  const std::size_t raters = matrix_.width - 1;
  for (std::size_t k = 0; k < raters; ++k)
    if (groups_[k] != 0)
      add_groups(&matrix_.at(k, 0), first_lane(k), raters, matrix_.stride, terms_.data(), groups_[k]);
  std::fill_n(terms_.begin(), waiting_ * matrix_.stride, 0.0);
  groups_.fill(0);
  waiting_ = 0;
}

void solve_scaled(PriceMatrix m, std::span<const double> scale, std::vector<double>& x, double damping) {
  const std::size_t n = m.width;
  for (std::size_t i = 0; i < n; ++i) {
    divide_by(&m.at(i, 0), scale.data(), scale[i], i, n);
    m.at(i, i) += damping + 1e-13 * m.at(i, i);
  }
  factorise(m.cells.data(), n, m.stride, damping);
  for (std::size_t k = 0; k < n; ++k) {
    x[k] /= m.at(k, k);
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= m.at(k, i) * x[k];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= m.at(i, k) * x[k];
    x[i] /= m.at(i, i);
  }
}

}  // namespace crema
