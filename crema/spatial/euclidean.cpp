// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/euclidean.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"

namespace crema {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();

/// The cosine up to which axes count as being at right angles: headers hold rounded numbers.
constexpr double kSlant = 1e-4;

/// Lines side by side that make up a task.
constexpr std::int64_t kBundle = 64;

double cosine(const Grid& grid, std::size_t a, std::size_t b) {
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    const double u = grid.direction[3 * row + a], v = grid.direction[3 * row + b];
    dot += u * v;
    aa += u * u;
    bb += v * v;
  }
  return dot / std::sqrt(aa * bb);
}

/// Rows hold sites and nothing else yet: the nearest one is the last met from the left or from the right.
void spread_row(double* row, std::int32_t count, double spacing) {
  double steps = kNowhere;
  for (std::int32_t i = 0; i < count; ++i) {
    steps = row[i] == 0 ? 0 : steps + 1;
    row[i] = steps;
  }
  if (steps == kNowhere) return;
  steps = kNowhere;
  for (std::int32_t i = count; i-- > 0;) {
    steps = row[i] == 0 ? 0 : steps + 1;
    const double mm = spacing * std::min(row[i], steps);
    row[i] = mm * mm;
  }
}

/// One line of values f, of which the least f[j] + (spacing·(i−j))² over all j is wanted for every i.
class LowerEnvelope {
 public:
  LowerEnvelope(std::int32_t count, double spacing)
      : f(static_cast<std::size_t>(count)), spacing_(spacing), site_(f.size()), from_(f.size()) {
    for (std::int32_t apart = 0; apart < count; ++apart)
      shift_.push_back(0.5 / (spacing * spacing * std::max(apart, 1)));
  }

  /// True when the line has a finite value, without which there is nothing to do.
  bool build() {
    used_ = 0;
    for (std::int32_t j = 0; j < std::ssize(f); ++j)
      if (f[static_cast<std::size_t>(j)] != kNowhere) add(j);
    return used_ > 0;
  }

  template <class Want, class Write>
  void evaluate(Want&& want, Write&& write) const {
    std::size_t at = 0;
    for (std::int32_t i = 0; i < std::ssize(f); ++i) {
      if (!want(i)) continue;
      double least = height(site_[at], i);
      // Heights are compared rather than crossings, so that rounding cannot cost more than itself.
      for (double next; at + 1 < used_ && (next = height(site_[at + 1], i)) <= least; ++at) least = next;
      write(i, least);
    }
  }

  /// (spacing·apart)², as heights have it.
  [[nodiscard]] double square(std::int32_t apart) const {
    const double mm = spacing_ * apart;
    return mm * mm;
  }

  std::vector<double> f;

 private:
  [[nodiscard]] double height(std::int32_t site, std::int32_t i) const {
    return f[static_cast<std::size_t>(site)] + square(i - site);
  }

  /// Where the parabola of b falls below that of a, a < b.
  [[nodiscard]] double crossing(std::int32_t a, std::int32_t b) const {
    const double rise = f[static_cast<std::size_t>(b)] - f[static_cast<std::size_t>(a)];
    return 0.5 * (a + b) + rise * shift_[static_cast<std::size_t>(b - a)];
  }

  void add(std::int32_t j) {
    double from = -kNowhere;
    while (used_ > 0 && (from = crossing(site_[used_ - 1], j)) <= from_[used_ - 1]) --used_;
    from_[used_] = used_ == 0 ? -kNowhere : from;
    site_[used_++] = j;
  }

  double spacing_;
  std::vector<std::int32_t> site_;
  std::vector<double> from_;
  std::vector<double> shift_;  ///< how far a crossing moves per difference of f, by distance of the sites
  std::size_t used_ = 0;
};

/// Which voxels of a line are wanted: those that are not 0 in a map of bytes, or all.
struct Wanted {
  const std::uint8_t* first = nullptr;
  std::int64_t stride = 0;

  bool operator()(std::int32_t i) const { return first == nullptr || first[i * stride] != 0; }
};

/// Voxels of a line for which looking outwards from each is faster than an envelope of all of it.
constexpr std::size_t kFew = 6;

/// The least along a line from one of its voxels: sites farther than the least so far need no look.
double look_outwards(const double* first, std::int64_t stride, std::int32_t at, const LowerEnvelope& line) {
  const auto count = static_cast<std::int32_t>(line.f.size());
  double best = first[at * stride];
  for (std::int32_t apart = 1, most = std::max(at, count - 1 - at); apart <= most; ++apart) {
    const double mm2 = line.square(apart);
    if (mm2 >= best) break;
    if (apart <= at) best = std::min(best, first[(at - apart) * stride] + mm2);
    if (at + apart < count) best = std::min(best, first[(at + apart) * stride] + mm2);
  }
  return best;
}

void spread_line(double* first, std::int64_t stride, const Wanted& wanted, LowerEnvelope& line) {
  const auto count = static_cast<std::int32_t>(line.f.size());
  std::array<std::int32_t, kFew> few{};
  std::size_t found = 0;
  for (std::int32_t i = 0; i < count && found <= kFew; ++i)
    if (wanted(i) && found++ < kFew) few[found - 1] = i;
  if (found <= kFew) {
    std::array<double, kFew> least{};
    for (std::size_t w = 0; w < found; ++w) least[w] = look_outwards(first, stride, few[w], line);
    for (std::size_t w = 0; w < found; ++w) first[few[w] * stride] = least[w];
    return;
  }
  for (std::size_t i = 0; i < line.f.size(); ++i) line.f[i] = first[static_cast<std::int64_t>(i) * stride];
  if (line.build()) line.evaluate(wanted, [&](std::int32_t i, double d) { first[i * stride] = d; });
}

/// Takes in the sites along y (axis 1) or z (axis 2). Lines side by side share cache lines, so a task takes a
/// few of them one after the other. `wanted` is a slice of bytes along y, a map of them along z, or empty.
void spread_axis(const std::array<std::int32_t, 3>& size, double spacing, std::size_t axis,
                 std::span<double> map, std::span<const std::uint8_t> wanted) {
  if (size[axis] == 1) return;
  const std::int64_t nx = size[0], slice = nx * size[1];
  const std::int64_t stride = axis == 1 ? nx : slice, across = axis == 1 ? slice : nx;
  const std::int64_t others = axis == 1 ? size[2] : size[1], bundles = (nx + kBundle - 1) / kBundle;
  parallel_for(others * bundles, [&](std::int64_t task) {
    LowerEnvelope line(size[axis], spacing);
    const std::int64_t begin = task % bundles * kBundle, end = std::min(nx, begin + kBundle);
    const std::int64_t other = task / bundles;
    for (std::int64_t x = begin; x < end; ++x) {
      const Wanted own{wanted.empty() ? nullptr : wanted.data() + x + (axis == 1 ? 0 : other * across),
                       stride};
      spread_line(map.data() + other * across + x, stride, own, line);
    }
  });
}

/// Where a line along z holds a voxel that is requested.
std::vector<std::uint8_t> columns_of(std::span<const std::uint8_t> requested, std::int64_t slice) {
  std::vector<std::uint8_t> columns(requested.empty() ? 0 : static_cast<std::size_t>(slice));
  for (std::size_t begin = 0; begin < requested.size(); begin += columns.size())
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] |= requested[begin + i];
  return columns;
}

}  // namespace

std::array<double, 3> right_angled_spacing(const Grid& grid) {
  for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    if (b == 2 && grid.flat()) continue;
    const double c = cosine(grid, a, b);
    if (!(std::abs(c) <= kSlant))
      throw InputError(
          fmt::format("the axes {} and {} of the image meet at {:.2f}°, but distances in millimetres need "
                      "right angles; resample the masks to a grid without shear",
                      "xyz"[a], "xyz"[b], std::acos(c) * 180 / 3.14159265358979323846));
  }
  return grid.spacing;
}

void spread_squared_distances(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                              std::span<double> map) {
  spread_squared_distances(size, spacing, map, {});
}

void spread_squared_distances(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                              std::span<double> map, std::span<const std::uint8_t> requested) {
  spread_along_rows(size, spacing[0], map);
  spread_across_rows(size, spacing, map, requested);
}

void spread_along_rows(const std::array<std::int32_t, 3>& size, double spacing, std::span<double> map) {
  const std::int64_t rows = std::int64_t{size[1]} * size[2];
  parallel_pieces(rows, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) spread_row(map.data() + row * size[0], size[0], spacing);
  });
}

void spread_across_rows(const std::array<std::int32_t, 3>& size, const std::array<double, 3>& spacing,
                        std::span<double> map, std::span<const std::uint8_t> requested) {
  spread_axis(size, spacing[1], 1, map, columns_of(requested, std::int64_t{size[0]} * size[1]));
  spread_axis(size, spacing[2], 2, map, requested);
}

}  // namespace crema
