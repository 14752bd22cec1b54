// SPDX-License-Identifier: Apache-2.0
#include "crema/measure.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/discrepancy.h"

namespace crema {
namespace {

template <class Value>
Measures read(const Reduction& reduction, std::size_t c, std::span<const Value> map) {
  const Crowns& crowns = reduction.crowns[c];
  const auto& rows = crowns.tally.rows;
  Measures measures{
      .sums = {}, .mean = Levels(rows.size(), 0), .inside = std::vector<std::int64_t>(rows.size())};
  double squares = 0;
  std::size_t voxel = 0;
  for (const Run& run : reduction.components.runs_of(reduction.components.list[c]))
    for (std::int64_t v = run.first; v < run.first + run.length; ++v, ++voxel) {
      const auto level = static_cast<double>(map[static_cast<std::size_t>(v)]);
      const std::uint32_t row = crowns.row_of_voxel[voxel];
      measures.mean[row] += level;
      squares += level * level;
      if (level > 0.5) ++measures.inside[row];
      if (level > 0) ++measures.touched;
    }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    measures.mean[r] /= static_cast<double>(rows[r].voxels);
    measures.voxels += measures.inside[r];
  }
  measures.sums = sum_up(crowns.tally, measures.mean);
  measures.sums.squares = squares;
  return measures;
}

/// Where nobody painted, a map of zeros need not be looked at: its pages are not there.
template <class Value>
void add_up(const Canvas<Value>& map, Totals& totals) {
  constexpr std::size_t kBlock = PaintedBlocks::kBytes / sizeof(Value);
  for (std::size_t first = 0; first < map.size(); first += kBlock) {
    if (map.pattern() == 0 && !map.painted().is_painted(first / kBlock)) continue;
    for (std::size_t v = first; v < std::min(map.size(), first + kBlock); ++v) {
      if (map[v] == 0) continue;  // most of an image
      const auto level = static_cast<double>(map[v]);
      if (level > 0.5) ++totals.inside;
      totals.sum += level;
      totals.entropy += entropy(level);
    }
  }
}

}  // namespace

std::int64_t voxels_inside(const Subcrown& row, double level, Kind kind) {
  if (kind == Kind::hard) return std::llround(level * static_cast<double>(row.voxels));
  return static_cast<float>(level) > 0.5F ? row.voxels : 0;
}

double entropy(double level) {
  if (level <= 0 || level >= 1) return 0;
  return -(level * std::log(level) + (1 - level) * std::log1p(-level));
}

Measures measure_component(const Reduction& reduction, std::size_t component, std::span<const float> map) {
  return read(reduction, component, map);
}

Measures measure_component(const Reduction& reduction, std::size_t component,
                           std::span<const std::uint8_t> mask) {
  return read(reduction, component, mask);
}

Decision measure_component(const Reduction& reduction, std::size_t component, const Image& image,
                           Distance distance, const std::vector<double>& weights) {
  Measures measures = std::visit(
      [&](const auto& map) { return read(reduction, component, std::span(map.data(), map.size())); }, image);
  Decision decision{.levels = std::move(measures.mean), .inside = std::move(measures.inside)};
  decision.criterion = criterion(measures.sums, distance, weights);
  decision.voxels = measures.voxels;
  decision.soft_voxels = measures.sums.total;
  return decision;
}

Totals measure_image(const Image& image) {
  Totals totals;
  std::visit([&](const auto& map) { add_up(map, totals); }, image);
  return totals;
}

}  // namespace crema
