// SPDX-License-Identifier: Apache-2.0
// The two starts of a joint consensus: what each label takes alone, and the plurality vote.
#pragma once

#include <optional>

#include "crema/labels/settle/sketch.h"

namespace crema {

/// What a structure takes alone, in raster order.
using Taken = std::vector<Run>;

/// Adds the next voxel.
inline void extend(Taken& taken, std::int64_t voxel) {
  constexpr std::int32_t kMaxLength = 1 << 30;
  if (!taken.empty() && taken.back().first + taken.back().length == voxel && taken.back().length < kMaxLength)
    ++taken.back().length;
  else
    taken.push_back({voxel, 1});
}

/// What both starts know of the structures that are to be disjoint.
class Contest {
 public:
  Contest(const LabelCounts& counts, std::vector<std::size_t> chosen);

  [[nodiscard]] const LabelCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }  ///< by increasing value

  /// What each rater says of a voxel, as places.
  std::span<const Label> places_of(std::span<const Label> labels);
  /// The different ones of `said` without the background, by increasing value.
  std::span<const Label> given(std::span<const Label> said);
  /// Whether every rater gave some label, and not all the same.
  [[nodiscard]] static bool is_labelled(std::span<const Label> said, std::span<const Label> given);
  ComponentFinder::Found find(Label place, std::int64_t voxel);

 private:
  const LabelCounts& counts_;
  std::vector<std::size_t> chosen_;
  std::vector<Label> table_;
  std::vector<std::optional<ComponentFinder>> finders_;
  std::vector<Label> said_, given_;
};

/// Whether voxels that every rater labelled and no label takes go to one of those labels.
enum class Holes : std::uint8_t { leave, fill };

/// Every label has what it takes alone; what several take, and holes, are open. `taken` is by structure.
Sketch start_alone(Contest& contest, const std::vector<Taken>& taken, Holes holes);

/// Every voxel has the label that most raters gave it. Where they gave several, it may go to any of them.
Sketch start_by_vote(Contest& contest, const Options& options);

}  // namespace crema
