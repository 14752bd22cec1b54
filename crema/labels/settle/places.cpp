// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/places.h"

#include <algorithm>
#include <numeric>

namespace crema {

std::vector<Label> places_of_labels(const LabelCounts& counts, std::span<const std::size_t> chosen) {
  std::vector<Label> table(std::size_t{1} << 16, 0);
  for (const std::size_t s : chosen)
    for (const Label label : counts.structures[s].structure.labels) table[label] = static_cast<Label>(s + 1);
  return table;
}

std::vector<Label> places_of_labels(const LabelCounts& counts) {
  return places_of_labels(counts, all_structures(counts));
}

std::vector<std::size_t> all_structures(const LabelCounts& counts) {
  std::vector<std::size_t> all(counts.structures.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<std::vector<Label>> values_shown(const LabelCounts& counts) {
  std::vector<std::vector<Label>> shown(counts.structures.size());
  for (const StructureCounts& own : counts.structures) {
    shown[static_cast<std::size_t>(&own - counts.structures.data())].push_back(own.structure.value);
    for (int outer = own.structure.parent; outer != Structure::kNone;
         outer = counts.structures[static_cast<std::size_t>(outer)].structure.parent)
      shown[static_cast<std::size_t>(outer)].push_back(own.structure.value);
  }
  return shown;
}

std::vector<Label> values_shown(const LabelCounts& counts, std::size_t s) {
  if (counts.nested()) return values_shown(counts)[s];
  return {counts.structures[s].structure.value};
}

ComponentFinder::ComponentFinder(const Components& components) {
  runs_.reserve(components.runs.size());
  for (std::size_t c = 0; c < components.list.size(); ++c)
    for (const Run& run : components.runs_of(components.list[c]))
      runs_.push_back({run.first, run.length, static_cast<std::uint32_t>(c)});
  if (components.list.size() > 1)
    std::sort(runs_.begin(), runs_.end(),
              [](const OwnedRun& a, const OwnedRun& b) { return a.first < b.first; });
}

ComponentFinder::Found ComponentFinder::find(std::int64_t voxel) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  if (next_ > 0 && voxel < end_of(runs_[next_ - 1]))
    next_ = static_cast<std::size_t>(
        std::partition_point(runs_.begin(), runs_.end(),
                             [&](const OwnedRun& run) { return end_of(run) <= voxel; }) -
        runs_.begin());
  while (next_ < runs_.size() && end_of(runs_[next_]) <= voxel) ++next_;
  if (next_ == runs_.size()) return {kNone, kEnd};
  const OwnedRun& run = runs_[next_];
  return voxel < run.first ? Found{kNone, run.first} : Found{run.component, end_of(run)};
}

}  // namespace crema
