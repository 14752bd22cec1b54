// SPDX-License-Identifier: Apache-2.0
#include "raters/run/label_words.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "crema/agreement/review/review_places.h"

namespace crema::raters {
namespace {

/// What most of the voxels got from a rater; 0 where that is nothing.
Label most_common(const LabelRuns& map, const VoxelSet& set) {
  std::map<Label, std::int64_t> voxels;
  const auto runs = map.runs();
  for (const Run& run : set.runs) {
    const std::int64_t end = run.first + run.length;
    auto at = std::partition_point(runs.begin(), runs.end(),
                                   [&](const LabelRun& own) { return own.first + own.length <= run.first; });
    for (; at != runs.end() && at->first < end; ++at)
      voxels[at->label] += std::min(end, at->first + at->length) - std::max(run.first, at->first);
  }
  Label best = 0;
  std::int64_t most = 0;
  for (const auto& [label, count] : voxels)
    if (count > most) {
      best = label;
      most = count;
    }
  return best;
}

std::string name_of(const Case& counted, Label label) {
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const std::vector<Label>& own = counted.counts.structures[s].structure.labels;
    if (std::find(own.begin(), own.end(), label) != own.end()) return counted.label(s);
  }
  return fmt::format("{}", label);
}

}  // namespace

void name_labels(const Case& counted, std::size_t s, std::span<ReviewItem> items) {
  if (!counted.labelled() || counted.counts.nested() || counted.counts.overlapping()) return;
  const Reduction& reduction = counted.reduction(s);
  for_components(items, [&](std::size_t c, std::span<ReviewItem*> own) {
    const Zones zones = find_zones(reduction, c);
    for (ReviewItem* item : own) {
      const VoxelSet set = voxels_of(reduction, zones, *item);
      item->said.clear();
      for (const LabelRuns& map : counted.counts.maps->raters) {
        const Label label = most_common(map, set);
        item->said.push_back(label == 0 ? "" : name_of(counted, label));
      }
    }
  });
}

}  // namespace crema::raters
