// SPDX-License-Identifier: Apache-2.0
#include "crema/phantom/blob.h"

#include <algorithm>
#include <cassert>

#include "crema/phantom/hash.h"

namespace crema::phantom {

double power(double base, double exponent) {
  assert(base > 0 && exponent >= 0 && exponent < 1);
  double result = 1;
  double root = base;
  for (int bit = 0; bit < 40 && exponent > 0; ++bit) {
    root = std::sqrt(root);
    exponent *= 2;
    if (exponent < 1) continue;
    exponent -= 1;
    result *= root;
  }
  return result;
}

Rough::Rough(std::uint64_t key, int cells) : cells_(cells) {
  assert(cells >= 1 && cells <= 4);
  const int nodes = (cells + 1) * (cells + 1) * (cells + 1);
  for (int n = 0; n < nodes; ++n)
    heights_[static_cast<std::size_t>(n)] = spread(mix(key ^ mix(static_cast<std::uint64_t>(n))));
  const auto [least, most] = std::minmax_element(heights_.begin(), heights_.begin() + nodes);
  lowest_ = *least - 1e-9;  // interpolation may round beyond the heights
  highest_ = *most + 1e-9;
}

double Rough::at(const Vector& direction) const {
  std::array<int, 3> cell{};
  Vector part{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double t = (direction[a] + 1) * 0.5 * cells_;
    cell[a] = std::clamp(static_cast<int>(t), 0, cells_ - 1);
    const double f = std::clamp(t - cell[a], 0.0, 1.0);
    part[a] = f * f * (3 - 2 * f);
  }
  const auto height = [&](int x, int y, int z) {
    const int node = ((cell[2] + z) * (cells_ + 1) + cell[1] + y) * (cells_ + 1) + cell[0] + x;
    return heights_[static_cast<std::size_t>(node)];
  };
  const auto between = [](double a, double b, double f) { return a + (b - a) * f; };
  const auto along_x = [&](int y, int z) { return between(height(0, y, z), height(1, y, z), part[0]); };
  const auto along_y = [&](int z) { return between(along_x(0, z), along_x(1, z), part[1]); };
  return between(along_y(0), along_y(1), part[2]);
}

namespace {

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// v without its part along the unit vector `other`, at unit length; `fallback` when nothing is left.
Vector upright(Vector v, const Vector& other, const Vector& fallback) {
  const double along = dot(v, other);
  for (std::size_t a = 0; a < 3; ++a) v[a] -= along * other[a];
  const double length = std::sqrt(dot(v, v));
  if (length < 1e-3) return fallback;
  return {v[0] / length, v[1] / length, v[2] / length};
}

/// Axes are unit vectors at right angles.
Blob make_blob(const Vector& centre, const Vector& semi, const std::array<Vector, 3>& axes) {
  Blob blob;
  blob.centre = centre;
  Vector square{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      blob.to_unit[i][a] = semi[i] > 0 ? axes[i][a] / semi[i] : 0;
      square[a] += axes[i][a] * axes[i][a] * semi[i] * semi[i];
    }
  for (std::size_t a = 0; a < 3; ++a) blob.reach[a] = std::sqrt(square[a]);
  return blob;
}

}  // namespace

Blob straight_blob(const Vector& centre, const Vector& semi) {
  return make_blob(centre, semi, {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}});
}

Blob turned_blob(const Vector& centre, const Vector& semi, std::uint64_t key) {
  const bool flat = semi[2] == 0;
  Vector third{0, 0, 1};
  Vector first{};
  for (std::size_t a = 0; a < 3; ++a) first[a] = spread(bits(key, Draw::axis, 0, a));
  if (flat) first[2] = 0;
  first = upright(first, {0, 0, 0}, {1, 0, 0});
  if (!flat) {
    for (std::size_t a = 0; a < 3; ++a) third[a] = spread(bits(key, Draw::axis, 1, a));
    // Whatever `first` is, one of the two spare vectors is not along it.
    const Vector spare = upright({0, 1, 0}, first, {0, 0, 1});
    third = upright(third, first, spare);
  }
  const Vector second{third[1] * first[2] - third[2] * first[1], third[2] * first[0] - third[0] * first[2],
                      third[0] * first[1] - third[1] * first[0]};
  return make_blob(centre, semi, {first, second, third});
}

double surface_along(const Blob& blob, const Vector& direction) {
  const Vector q = blob.unit_of(direction);
  return 1 / std::sqrt(dot(q, q));
}

Box box_of(const Grid& grid, const Blob& blob, double high) {
  Box box;
  for (std::size_t a = 0; a < 3; ++a) {
    const double reach = blob.reach[a] * high;
    const double last = grid.size[a] - 1.0;
    const double low = std::clamp(std::ceil(blob.centre[a] - reach), 0.0, last + 1);
    const double high_end = std::clamp(std::floor(blob.centre[a] + reach), -1.0, last);
    box.low[a] = static_cast<std::int32_t>(low);
    box.high[a] = std::max(box.low[a], static_cast<std::int32_t>(high_end) + 1);
  }
  return box;
}

RowPart row_part(const Blob& blob, std::int32_t y, std::int32_t z, double radius, RowPart limits) {
  const Vector start = blob.unit_of({limits.begin - blob.centre[0], y - blob.centre[1], z - blob.centre[2]});
  const Vector step = blob.unit_of({1, 0, 0});
  const double square = dot(step, step);
  const double middle = -dot(start, step) / square;
  const double root = middle * middle - (dot(start, start) - radius * radius) / square;
  if (root < -1) return {limits.begin, limits.begin};
  const double half = std::sqrt(std::max(0.0, root)) + 1;
  const double length = limits.end - limits.begin;
  const double begin = std::clamp(std::floor(middle - half), 0.0, length);
  const double end = std::clamp(std::ceil(middle + half) + 1, begin, length);
  return {limits.begin + static_cast<std::int32_t>(begin), limits.begin + static_cast<std::int32_t>(end)};
}

void draw_centre(const Grid& grid, std::span<std::uint8_t> mask, const Blob& blob) {
  std::int64_t at = 0;
  for (std::size_t a = 3; a-- > 0;) {
    const double nearest = std::clamp(std::floor(blob.centre[a] + 0.5), 0.0, grid.size[a] - 1.0);
    at = at * grid.size[a] + static_cast<std::int64_t>(nearest);
  }
  mask[static_cast<std::size_t>(at)] = 1;
}

}  // namespace crema::phantom
