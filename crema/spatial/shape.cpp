// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/spatial/euclidean.h"
#include "crema/spatial/extent.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// Mean distances nearer to zero than this share of the smallest spacing are ties: rounding must not decide.
constexpr double kRounding = 1e-9;

/// Levels of a float32 image below 2⁻²⁵ are 0, as those above 1 − 2⁻²⁵ become 1.
constexpr double kFaint = 0x1p-25;

/// What the distances need to know of a grid.
struct Metric {
  std::array<double, 3> spacing;
  double diagonal;
};

Metric metric_of(const Grid& grid) {
  Metric m{.spacing = right_angled_spacing(grid), .diagonal = 0};
  for (std::size_t a = 0; a < (grid.flat() ? 2U : 3U); ++a)
    m.diagonal = std::hypot(m.diagonal, m.spacing[a] * grid.size[a], 0);
  return m;
}

std::vector<double> shares(const Votes& votes, std::vector<double> weights) {
  const auto raters = static_cast<std::size_t>(votes.raters());
  if (weights.empty()) weights.assign(raters, 1);
  if (weights.size() != raters)
    throw UsageError(
        fmt::format("{} weights were given for {} raters; give one each, or none", weights.size(), raters));
  double sum = 0;
  for (const double w : weights) {
    if (!(w >= 0) || std::isinf(w))
      throw UsageError(fmt::format("a weight is {}; weights must be numbers from 0 up", w));
    sum += w;
  }
  if (!(sum > 0)) throw UsageError("all weights are 0; at least one rater must count");
  for (double& w : weights) w /= sum;
  return weights;
}

/// A map over a box of the grid, x running fastest.
struct BoxMap {
  Box box;
  std::vector<double> value;

  BoxMap(const Box& b, double start)
      : box(b),
        value(static_cast<std::size_t>(std::int64_t{b.size()[0]} * b.size()[1] * b.size()[2]), start) {}

  [[nodiscard]] double* row(std::int32_t y, std::int32_t z) {
    const auto n = box.size();
    return value.data() + (std::int64_t{z - box.low[2]} * n[1] + (y - box.low[1])) * n[0];
  }
};

/// Calls f(y, z, offset in the image of the box's first voxel) for each row of a box, on any thread.
template <class F>
void for_rows(const Grid& grid, const Box& box, F&& f) {
  const auto n = box.size();
  parallel_pieces(std::int64_t{n[1]} * n[2], 32, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto y = box.low[1] + static_cast<std::int32_t>(i % n[1]);
      const auto z = box.low[2] + static_cast<std::int32_t>(i / n[1]);
      f(y, z, (std::int64_t{z} * grid.size[1] + y) * grid.size[0] + box.low[0]);
    }
  });
}

/// Which side of a mask distances are measured on.
enum class Side : std::uint8_t { outside, inside };

/// Adds share · distance to rater k's mask to the voxels of a box that lie on one side of it. The box must
/// hold the nearest voxel of the other side for each of them, if there is one.
void add_distances(const Grid& grid, const Votes& votes, int k, Side side, const Box& box, double share,
                   const Metric& metric, BoxMap& mean) {
  BoxMap map(box, std::numeric_limits<double>::infinity());
  const std::int32_t nx = box.size()[0];
  votes.visit([&]<class Set>(const Set* sets) {
    auto on_side = [&](Set set) { return ((set >> k & 1) != 0) == (side == Side::inside); };
    for_rows(grid, box, [&](std::int32_t y, std::int32_t z, std::int64_t first) {
      double* row = map.row(y, z);
      for (std::int32_t i = 0; i < nx; ++i)
        if (!on_side(sets[first + i])) row[i] = 0;
    });
    spread_squared_distances(box.size(), metric.spacing, map.value);
    const double signed_share = side == Side::inside ? -share : share;
    for_rows(grid, box, [&](std::int32_t y, std::int32_t z, std::int64_t first) {
      const double* row = map.row(y, z);
      double* to = mean.row(y, z) + (box.low[0] - mean.box.low[0]);
      for (std::int32_t i = 0; i < nx; ++i)
        if (on_side(sets[first + i]))
          to[i] += signed_share * (std::isinf(row[i]) ? metric.diagonal : std::sqrt(row[i]));
    });
  });
}

/// D over a box that holds the union, one rater after the other, so that memory does not grow with raters.
///
/// The nearest voxel of a mask is in the union, hence in the box. The nearest voxel outside a mask is in the
/// mask's own box padded by one: moving a voxel from beyond it to the nearest place in it brings it nearer to
/// every voxel of the mask, and leaves it in the padding, which is outside the mask.
BoxMap mean_distances(const Grid& grid, const Votes& votes, const Box& box, const Metric& metric,
                      const std::vector<double>& share, const std::function<bool()>& stop) {
  BoxMap mean(box, 0);
  for (int k = 0; k < votes.raters(); ++k) {
    const double s = share[static_cast<std::size_t>(k)];
    if (s == 0) continue;
    throw_if_stopped(stop);
    add_distances(grid, votes, k, Side::outside, box, s, metric, mean);
    const Box own = extent_of(grid, votes, box, Raters{1} << k);
    if (!is_empty(own))
      add_distances(grid, votes, k, Side::inside, padded(grid, own, {1, 1, 1}), s, metric, mean);
  }
  return mean;
}

double softness_of(const Grid& grid, const Metric& metric, const ShapeOptions& options) {
  if (!(options.softness >= 0) || std::isinf(options.softness))
    throw UsageError(
        fmt::format("the softness is {}; it must be a length in mm, or 0 for the default", options.softness));
  if (options.softness > 0) return options.softness;
  const double area = metric.spacing[0] * metric.spacing[1];
  return grid.flat() ? std::sqrt(area) : std::cbrt(area * metric.spacing[2]);
}

using Margin = std::array<std::int32_t, 3>;

/// An image of value_at(D), which is 0 wherever D is larger than in the union's box padded by the margin.
template <class Value, class F>
Canvas<Value> paint_means(const Grid& grid, const Votes& votes, const Metric& metric,
                          const ShapeOptions& options, const Margin& margin, F&& value_at) {
  const auto voxels = static_cast<std::size_t>(grid.voxels());
  const std::vector<double> share = shares(votes, options.weights);
  const Box marked = extent_of(grid, votes, whole_box(grid), ~Raters{0});
  Canvas<Value> image(voxels);
  if (is_empty(marked)) return image;  // with no shape at all there is nothing to average
  const Box box = padded(grid, marked, margin);
  // The mean, and one rater's distances at a time.
  if (options.memory != nullptr)
    options.memory->require("averaging shapes",
                            box.voxels() * std::int64_t{2 * sizeof(double) + sizeof(Value)},
                            "crop the images");
  BoxMap mean = mean_distances(grid, votes, box, metric, share, options.stop);
  for_rows(grid, mean.box, [&](std::int32_t y, std::int32_t z, std::int64_t first) {
    const double* row = mean.row(y, z);
    for (Value& value :
         image.paint(static_cast<std::size_t>(first), static_cast<std::size_t>(mean.box.size()[0])))
      value = value_at(*row++);
  });
  return image;
}

}  // namespace

double grid_diagonal(const Grid& grid) { return metric_of(grid).diagonal; }

double distance_rounding(const Grid& grid) {
  const auto spacing = metric_of(grid).spacing;
  return kRounding * *std::min_element(spacing.begin(), spacing.end());
}

std::vector<double> mean_signed_distances(const Grid& grid, const Votes& votes, const ShapeOptions& options,
                                          double diagonal) {
  Metric metric = metric_of(grid);
  metric.diagonal = diagonal;
  if (options.memory != nullptr)
    options.memory->require("averaging shapes", grid.voxels() * std::int64_t{4 * sizeof(double)},
                            "crop the images");
  const std::vector<double> share = shares(votes, options.weights);
  return mean_distances(grid, votes, whole_box(grid), metric, share, options.stop).value;
}

/// Outside the union every rater's distance is above zero, so D is: only the union's box is looked at.
HardImage shape_average(const Grid& grid, const Votes& votes, const ShapeOptions& options) {
  const Metric metric = metric_of(grid);
  const double nothing = distance_rounding(grid);
  const double limit = options.tie == Tie::foreground ? nothing : -nothing;
  return paint_means<std::uint8_t>(grid, votes, metric, options, {1, 1, 1}, [&](double mean) {
    return static_cast<std::uint8_t>(mean < limit ? 1 : 0);
  });
}

/// D is at least the distance to the union, which bounds how far from its box a level can still show.
SoftImage shape_levels(const Grid& grid, const Votes& votes, const ShapeOptions& options) {
  const Metric metric = metric_of(grid);
  const double softness = softness_of(grid, metric, options);
  Margin margin{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double voxels = std::log(1 / kFaint) * softness / metric.spacing[a];
    margin[a] = 1 + static_cast<std::int32_t>(std::min<double>(voxels, grid.size[a]));
  }
  return paint_means<float>(grid, votes, metric, options, margin, [&](double mean) {
    const double level = 1 / (1 + std::exp(mean / softness));
    return level < kFaint ? 0.0F : static_cast<float>(level);
  });
}

}  // namespace crema
