// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <vector>

#include "crema/labels/settle/ballot.h"
#include "crema/labels/settle/joint.h"
#include "crema/labels/settle/places.h"
#include "crema/labels/settle/stretches.h"
#include "crema/options.h"

namespace crema {

std::optional<Label> Ballot::winner(std::span<const Label> said) {
  stands_.clear();
  for (std::size_t k = 0; k < said.size(); ++k)
    add(said[k], options_.weights.empty() ? 1 : options_.weights[k]);
  const auto most = std::max_element(stands_.begin(), stands_.end(),
                                     [](const Stand& a, const Stand& b) { return a.weight < b.weight; });
  const auto tied = [&](const Stand& stand) { return stand.weight == most->weight; };
  if (std::count_if(stands_.begin(), stands_.end(), tied) == 1) return most->place;
  lowest_tied_ = 0;
  for (const Stand& stand : stands_)
    if (tied(stand) && stand.place != 0 &&
        (lowest_tied_ == 0 || value_of(stand.place) < value_of(lowest_tied_)))
      lowest_tied_ = stand.place;
  return {};
}

void Ballot::add(Label place, double weight) {
  const auto found =
      std::find_if(stands_.begin(), stands_.end(), [&](const Stand& stand) { return stand.place == place; });
  if (found == stands_.end())
    stands_.push_back({place, weight});
  else
    found->weight += weight;
}

LabelImage plurality(const LabelCounts& counts, const Options& options, LabelConsensus& consensus) {
  LabelImage image(static_cast<std::size_t>(counts.grid().voxels()));
  const std::vector<Label> table = places_of_labels(counts);
  std::vector<Label> places(counts.maps->raters.size());
  Ballot ballot(counts, options);
  const auto value_of = [&](Label place) {
    return place == 0 ? Label{0} : counts.structures[place - 1U].structure.value;
  };
  const auto value_of_tie = [&] {
    if (options.undecided) return *options.undecided;
    return options.tie == Tie::foreground ? value_of(ballot.lowest_tied()) : Label{0};
  };
  for_each_stretch(*counts.maps, [&](std::int64_t first, std::int64_t length, std::span<const Label> said) {
    std::transform(said.begin(), said.end(), places.begin(), [&](Label label) { return table[label]; });
    const std::optional<Label> winner = ballot.winner(places);
    if (!winner) consensus.undecided += length;
    const Label value = winner ? value_of(*winner) : value_of_tie();
    if (value == 0) return;
    const auto part = image.paint(static_cast<std::size_t>(first), static_cast<std::size_t>(length));
    std::fill(part.begin(), part.end(), value);
  });
  return image;
}

}  // namespace crema
