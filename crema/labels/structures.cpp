// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/structures.h"

#include <algorithm>
#include <array>

#include "crema/base/parallel.h"
#include "crema/levels/level_maps.h"
#include "crema/stop.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

/// Each rater's runs by label, so that no structure looks at another one's.
class RunsByLabel {
 public:
  explicit RunsByLabel(const LabelMaps& maps) : sorted_(maps.raters.size()) {
    for (std::size_t k = 0; k < maps.raters.size(); ++k) {
      const auto runs = maps.raters[k].runs();
      sorted_[k].resize(runs.size());
      for (std::size_t i = 0; i < runs.size(); ++i) sorted_[k][i] = static_cast<std::uint32_t>(i);
      std::stable_sort(sorted_[k].begin(), sorted_[k].end(),
                       [&](std::uint32_t a, std::uint32_t b) { return runs[a].label < runs[b].label; });
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> of(const LabelMaps& maps, std::size_t rater,
                                                  Label label) const {
    const auto runs = maps.raters[rater].runs();
    const auto& all = sorted_[rater];
    const auto begin =
        std::partition_point(all.begin(), all.end(), [&](std::uint32_t i) { return runs[i].label < label; });
    const auto end =
        std::partition_point(begin, all.end(), [&](std::uint32_t i) { return runs[i].label == label; });
    return std::span(all).subspan(static_cast<std::size_t>(begin - all.begin()),
                                  static_cast<std::size_t>(end - begin));
  }

 private:
  std::vector<std::vector<std::uint32_t>> sorted_;
};

/// One slice of a 3-D image is not a 2-D image, whose neighbourhoods are others.
Box solid(Box box, const Grid& grid) {
  if (box.high[0] == 0) box.high = {1, 1, 1};
  if (grid.size[2] > 1 && box.high[2] - box.low[2] == 1) box.low[2] > 0 ? --box.low[2] : ++box.high[2];
  return box;
}

Grid grid_of(const Grid& grid, const Box& box) {
  Grid part = grid;
  part.size = box.size();
  return part;
}

/// Adds a run to the votes of a box, image row by image row.
void fold_run(Votes& votes, int rater, const LabelRun& run, const Grid& grid, const Box& box) {
  static const std::vector<std::uint8_t> ones(1 << 12, 1);
  const std::int64_t nx = grid.size[0], ny = grid.size[1], bx = box.size()[0], by = box.size()[1];
  for (std::int64_t first = run.first, end = run.first + run.length; first < end;) {
    const std::int64_t x = first % nx, y = first / nx % ny, z = first / nx / ny;
    const std::int64_t length = std::min({end - first, nx - x, static_cast<std::int64_t>(ones.size())});
    const std::int64_t place = x - box.low[0] + bx * (y - box.low[1] + by * (z - box.low[2]));
    votes.fold_part(rater, place, Mask(ones).first(static_cast<std::size_t>(length)));
    first += length;
  }
}

/// Where a structure was drawn; one more slice where a 3-D image would look flat.
Box box_of(StructureCounts& counts, const LabelMaps& maps, const std::vector<LabelExtent>& extents) {
  Box box;
  for (const Label label : counts.structure.labels) {
    const auto extent = std::lower_bound(extents.begin(), extents.end(), label,
                                         [](const LabelExtent& a, Label b) { return a.label < b; });
    if (extent == extents.end() || extent->label != label) continue;
    box = united(box, extent->box);
    counts.drawn += extent->voxels;
  }
  return solid(box, maps.grid);
}

/// From the grid of a box to the grid that the box lies in: runs and boxes move, counts stay.
void lift(Reduction& reduction, const Box& box, const Grid& grid) {
  const std::int64_t bx = reduction.grid.size[0], by = reduction.grid.size[1];
  for (Run& run : reduction.components.runs) {
    const std::int64_t x = run.first % bx, y = run.first / bx % by, z = run.first / bx / by;
    run.first = x + box.low[0] + grid.size[0] * (y + box.low[1] + grid.size[1] * (z + box.low[2]));
  }
  for (Component& component : reduction.components.list)
    for (std::size_t a = 0; a < 3; ++a) {
      component.box.low[a] += box.low[a];
      component.box.high[a] += box.low[a];
    }
  reduction.grid = grid;
}

Votes votes_of(StructureCounts& counts, const LabelMaps& maps, const RunsByLabel& sorted, const Box& box) {
  Votes votes(box.voxels(), static_cast<int>(maps.raters.size()));
  counts.voxels_of_rater.assign(maps.raters.size(), 0);
  for (std::size_t k = 0; k < maps.raters.size(); ++k)
    for (const Label label : counts.structure.labels)
      for (const std::uint32_t i : sorted.of(maps, k, label)) {
        const LabelRun& run = maps.raters[k].runs()[i];
        counts.voxels_of_rater[k] += run.length;
        fold_run(votes, static_cast<int>(k), run, maps.grid, box);
      }
  return votes;
}

}  // namespace

Votes votes_on(const LabelMaps& maps, const std::vector<Label>& labels, const Box& box) {
  Votes votes(box.voxels(), static_cast<int>(maps.raters.size()));
  std::vector<bool> wanted(std::size_t{1} << 16, false);
  for (const Label label : labels) wanted[label] = true;
  for (std::size_t k = 0; k < maps.raters.size(); ++k)
    for (const LabelRun& run : maps.raters[k].runs())
      if (wanted[run.label]) fold_run(votes, static_cast<int>(k), run, maps.grid, box);
  return votes;
}

std::span<const Run> level_runs(const Reduction& reduction, std::size_t part) {
  if (!reduction.levels) return reduction.components.runs_of(reduction.components.list[part]);
  const LevelMaps& maps = *reduction.levels;
  return part < maps.parts.size() ? maps.parts[part].runs : maps.rest.runs;
}

LabelCounts count_labels(std::shared_ptr<const LabelMaps> maps, std::vector<Structure> structures,
                         Needs needs, const Options& options) {
  LabelCounts all{.maps = std::move(maps), .structures = {}};
  const Grid& grid = all.maps->grid;
  const std::vector<LabelExtent> extents = labels_in(*all.maps);
  const RunsByLabel sorted(*all.maps);
  Options quiet = options;
  quiet.progress = {};
  // Votes that are kept, and a mask as the region, are those of the whole grid.
  const bool everywhere = needs == Needs::neighbours || options.region.kind == Region::Kind::mask;
  for (std::size_t s = 0; s < structures.size(); ++s) {
    throw_if_stopped(options);
    StructureCounts counts{.structure = std::move(structures[s])};
    Box box = box_of(counts, *all.maps, extents);
    if (everywhere) box = {{0, 0, 0}, grid.size};
    Votes votes = votes_of(counts, *all.maps, sorted, box);
    quiet.threads = threads_for(counts, options.threads);
    counts.reduction = reduce(grid_of(grid, box), std::move(votes), needs, quiet);
    lift(counts.reduction, box, grid);
    all.structures.push_back(std::move(counts));
    if (options.progress)
      options.progress(static_cast<double>(s + 1) / static_cast<double>(structures.size()));
  }
  return all;
}

}  // namespace crema
