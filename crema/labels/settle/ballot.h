// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "crema/labels/structures.h"

namespace crema {

/// A vote between structures, by their places from 1; 0 is the background.
class Ballot {
 public:
  Ballot(const LabelCounts& counts, const Options& options) : counts_(counts), options_(options) {}

  /// The place that most raters said, or nothing on a tie.
  std::optional<Label> winner(std::span<const Label> said);

  /// Of the places that tied last, the one with the lowest value but for the background.
  [[nodiscard]] Label lowest_tied() const { return lowest_tied_; }

 private:
  /// A place and the weight of the raters who said it.
  struct Stand {
    Label place;
    double weight;
  };

  void add(Label place, double weight);
  [[nodiscard]] Label value_of(Label place) const { return counts_.structures[place - 1U].structure.value; }

  const LabelCounts& counts_;
  const Options& options_;
  std::vector<Stand> stands_;
  Label lowest_tied_ = 0;
};

}  // namespace crema
