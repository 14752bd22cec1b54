// SPDX-License-Identifier: Apache-2.0
// Shape-based averaging of several labels (Rohlfing and Maurer, 2007): each voxel gets the label whose mean
// signed distance is least, the background being one of them.
#include "crema/spatial/shape.h"

#include <algorithm>

#include "crema/labels/settle/hard.h"
#include "crema/options.h"

namespace crema {
namespace {

/// All that was drawn, and one voxel around it.
Box joint_box(const LabelCounts& counts) {
  Box box{counts.grid().size, {0, 0, 0}};
  for (const StructureCounts& own : counts.structures)
    for (const Component& component : own.reduction.components.list) box = united(box, component.box);
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = std::max(box.low[a] - 1, 0);
    box.high[a] = std::min(box.high[a] + 1, counts.grid().size[a]);
  }
  return box;
}

/// The least mean distance so far, and whose it is.
class Nearest {
 public:
  Nearest(const LabelCounts& counts, const Options& options)
      : counts_(counts), box_(joint_box(counts)), grid_(counts.grid()) {
    grid_.size = box_.size();
    options_ = {
        .tie = options.tie, .weights = options.weights, .memory = options.memory.get(), .stop = options.stop};
    least_.assign(static_cast<std::size_t>(grid_.voxels()), 0);
    label_.assign(least_.size(), 0);
  }

  void offer(const Structure& structure) {
    const std::vector<double> mean = distances_to(structure.labels);
    const double nothing = distance_rounding(grid_);
    for (std::size_t v = 0; v < mean.size(); ++v)
      if (label_[v] == 0 || mean[v] < least_[v] - nothing) {
        least_[v] = mean[v];
        label_[v] = structure.value;
      }
  }

  /// The distance to the background is minus the one to all labels together.
  void offer_background(Tie tie) {
    std::vector<Label> all;
    for (const StructureCounts& own : counts_.structures)
      all.insert(all.end(), own.structure.labels.begin(), own.structure.labels.end());
    const std::vector<double> mean = distances_to(all);
    const double nothing = distance_rounding(grid_), limit = tie == Tie::foreground ? nothing : -nothing;
    for (std::size_t v = 0; v < mean.size(); ++v)
      if (!(least_[v] + mean[v] < 2 * limit)) label_[v] = 0;
  }

  [[nodiscard]] LabelImage paint() const {
    LabelImage image(static_cast<std::size_t>(counts_.grid().voxels()));
    const auto& whole = counts_.grid().size;
    const Label* label = label_.data();
    for (std::int64_t z = box_.low[2]; z < box_.high[2]; ++z)
      for (std::int64_t y = box_.low[1]; y < box_.high[1]; ++y)
        for (std::int64_t x = box_.low[0]; x < box_.high[0]; ++x, ++label)
          if (*label != 0) image[static_cast<std::size_t>(x + whole[0] * (y + whole[1] * z))] = *label;
    return image;
  }

 private:
  [[nodiscard]] std::vector<double> distances_to(const std::vector<Label>& labels) const {
    const Votes votes = votes_on(*counts_.maps, labels, box_);
    return mean_signed_distances(grid_, votes, options_, grid_diagonal(counts_.grid()));
  }

  const LabelCounts& counts_;
  Box box_;
  Grid grid_;
  ShapeOptions options_;
  std::vector<double> least_;
  std::vector<Label> label_;
};

}  // namespace

LabelImage paint_by_distance(const LabelCounts& counts, const Options& options) {
  Nearest nearest(counts, options);
  std::vector<const Structure*> by_value;
  for (const StructureCounts& own : counts.structures) by_value.push_back(&own.structure);
  std::sort(by_value.begin(), by_value.end(),
            [](const Structure* a, const Structure* b) { return a->value < b->value; });
  for (const Structure* structure : by_value) nearest.offer(*structure);
  nearest.offer_background(options.tie);
  return nearest.paint();
}

}  // namespace crema
