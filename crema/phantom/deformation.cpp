// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/deformation.h"

#include <algorithm>
#include <cmath>

#include "crema/phantom/hash.h"

namespace crema::phantom {
namespace {

constexpr double kMaxCells = 48;  ///< of the lattice along an axis

/// Σ weight² of a cubic B-spline, the mean over a cell: what interpolation leaves of the variance.
constexpr double kSplineVariance = 151.0 / 315;

std::array<double, 4> spline(double f) {
  const double g = 1 - f;
  return {g * g * g / 6, (4 - 6 * f * f + 3 * f * f * f) / 6, (4 - 6 * g * g + 3 * g * g * g) / 6,
          f * f * f / 6};
}

}  // namespace

double normal(std::uint64_t h) {
  std::uint64_t sum = 0;
  for (int round = 0; round < 3; ++round) {
    h = mix(h);
    for (unsigned shift = 0; shift < 64; shift += 16) sum += (h >> shift) & 0xffffU;
  }
  return (static_cast<double>(sum) + 6) / 65536 - 6;
}

Habit habit_of(const Panel& panel, int rater) {
  return {.bias = std::clamp(normal(bits(panel.key, Draw::bias, rater)), -2.5, 2.5),
          .steadiness = 1 + 0.25 * spread(bits(panel.key, Draw::habit, rater, 0)),
          .keenness = spread(bits(panel.key, Draw::habit, rater, 1))};
}

double varied_size(std::uint64_t seed, double spread) {
  return power(spread * spread, unit(bits(seed, Draw::size, 0))) / spread;
}

Deformation::Deformation(const Grid& grid, const Vector& step, const Panel& panel, std::uint64_t seed,
                         int rater) {
  for (std::size_t a = 0; a < 3; ++a) {
    const double last = grid.size[a] - 1.0;
    cells_[a] = last > 0 ? 1 / std::max(step[a], last / kMaxCells) : 0;
    nodes_[a] = last > 0 ? static_cast<std::size_t>(last * cells_[a]) + 4 : 1;
    if (last > 0) scale_ /= std::sqrt(kSplineVariance);
  }
  fill(panel, seed, rater);
}

void Deformation::fill(const Panel& panel, std::uint64_t seed, int rater) {
  const double together = std::sqrt(panel.shared), alone = std::sqrt(1 - panel.shared);
  values_.resize(nodes_[0] * nodes_[1] * nodes_[2]);
  for (std::size_t n = 0; n < values_.size(); ++n)
    for (std::size_t a = 0; a < 3; ++a)
      values_[n][a] = together * normal(bits(seed, Draw::field, 0, 0, n, a)) +
                      alone * normal(bits(seed, Draw::field, 1, rater, n, a));
}

Deformation::Weights Deformation::weights(std::size_t axis, double x) const {
  if (nodes_[axis] == 1) return {};
  const double t = std::clamp(x * cells_[axis], 0.0, static_cast<double>(nodes_[axis] - 4) + 1);
  const std::size_t cell = std::min(static_cast<std::size_t>(t), nodes_[axis] - 4);
  return {.first = cell, .count = 4, .values = spline(t - static_cast<double>(cell))};
}

Vector Deformation::at(const Vector& point) const {
  const Weights x = weights(0, point[0]), y = weights(1, point[1]), z = weights(2, point[2]);
  Vector sum{};
  for (std::size_t k = 0; k < z.count; ++k)
    for (std::size_t j = 0; j < y.count; ++j) {
      const double outer = z.values[k] * y.values[j];
      const std::size_t row = ((z.first + k) * nodes_[1] + y.first + j) * nodes_[0] + x.first;
      for (std::size_t i = 0; i < x.count; ++i)
        for (std::size_t a = 0; a < 3; ++a) sum[a] += outer * x.values[i] * values_[row + i][a];
    }
  for (double& component : sum) component = std::clamp(scale_ * component, -kMax, kMax);
  return sum;
}

Polar polar(const Vector& point) {
  const double radius = std::sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
  if (radius == 0) return {{1, 0, 0}, 0};
  return {{point[0] / radius, point[1] / radius, point[2] / radius}, radius};
}

double unit_reach(const Blob& blob, const Vector& most) {
  double square = 0;
  for (const Vector& row : blob.to_unit) {
    double along = 0;
    for (std::size_t a = 0; a < 3; ++a) along += std::abs(row[a]) * most[a] * Deformation::kMax;
    square += along * along;
  }
  return std::sqrt(square);
}

}  // namespace crema::phantom
