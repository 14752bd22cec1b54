// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <vector>

#include "crema/labels/joint.h"
#include "crema/labels/stretches.h"

namespace crema {
namespace {

/// The value that each label is counted and written as; what belongs to no structure counts as background.
std::vector<Label> table_of(const LabelCounts& counts) {
  std::vector<Label> table(std::size_t{1} << 16, 0);
  for (const StructureCounts& own : counts.structures)
    for (const Label label : own.structure.labels) table[label] = own.structure.value;
  return table;
}

/// A value and the weight of the raters who said it.
struct Stand {
  Label value;
  double weight;
};

class Ballot {
 public:
  Ballot(const LabelCounts& counts, const Options& options) : table_(table_of(counts)), options_(options) {}

  /// The value that most raters said, or nothing on a tie.
  std::optional<Label> winner(std::span<const Label> said) {
    stands_.clear();
    for (std::size_t k = 0; k < said.size(); ++k) add(table_[said[k]], weight_of(k));
    const auto most = std::max_element(stands_.begin(), stands_.end(),
                                       [](const Stand& a, const Stand& b) { return a.weight < b.weight; });
    const auto tied = [&](const Stand& stand) { return stand.weight == most->weight; };
    if (std::count_if(stands_.begin(), stands_.end(), tied) == 1) return most->value;
    lowest_tied_ = 0;
    for (const Stand& stand : stands_)
      if (tied(stand) && stand.value != 0 && (lowest_tied_ == 0 || stand.value < lowest_tied_))
        lowest_tied_ = stand.value;
    return {};
  }

  [[nodiscard]] Label tied_value() const {
    if (options_.undecided) return *options_.undecided;
    return options_.tie == Tie::foreground ? lowest_tied_ : Label{0};
  }

 private:
  [[nodiscard]] double weight_of(std::size_t k) const {
    return options_.weights.empty() ? 1 : options_.weights[k];
  }

  void add(Label value, double weight) {
    const auto found = std::find_if(stands_.begin(), stands_.end(),
                                    [&](const Stand& stand) { return stand.value == value; });
    if (found == stands_.end())
      stands_.push_back({value, weight});
    else
      found->weight += weight;
  }

  std::vector<Label> table_;
  const Options& options_;
  std::vector<Stand> stands_;
  Label lowest_tied_ = 0;
};

}  // namespace

LabelImage plurality(const LabelCounts& counts, const Options& options, LabelConsensus& consensus) {
  LabelImage image(static_cast<std::size_t>(counts.grid().voxels()));
  Ballot ballot(counts, options);
  for_each_stretch(*counts.maps, [&](std::int64_t first, std::int64_t length, std::span<const Label> said) {
    const std::optional<Label> winner = ballot.winner(said);
    if (!winner) consensus.undecided += length;
    const Label value = winner.value_or(ballot.tied_value());
    if (value != 0) std::fill_n(image.begin() + first, length, value);
  });
  return image;
}

}  // namespace crema
