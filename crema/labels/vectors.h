// SPDX-License-Identifier: Apache-2.0
// How often raters together said what: all that methods need that look at labels and not at places.
#pragma once

#include <cstdint>
#include <vector>

#include "crema/labels/settle/joint.h"

namespace crema {

/// Places of structures, from 1; 0 is background. One row per combination that occurs, that of nobody
/// included.
struct LabelVectors {
  std::size_t raters = 0;
  std::size_t places = 0;            ///< structures and the background
  std::vector<Label> values;         ///< per place: the label it stands for
  std::vector<Label> said;           ///< rows × raters
  std::vector<std::int64_t> voxels;  ///< per row

  [[nodiscard]] std::size_t rows() const { return voxels.size(); }
  [[nodiscard]] const Label* row(std::size_t r) const { return said.data() + r * raters; }
};

/// Rows are sorted. What belongs to no structure counts as background.
LabelVectors count_vectors(const LabelCounts& counts);

/// Paints the value of the place that each row was given; `places` is one more than the structures for those
/// that nothing decides, which get `undecided`.
LabelImage paint_vectors(const LabelCounts& counts, const LabelVectors& vectors,
                         const std::vector<std::size_t>& place_of_row, Label undecided);

/// Confusion matrices θ(said, true) by expectation maximisation, and for each row the most likely place, or
/// one more than the last where several are equally likely.
std::vector<std::size_t> solve_label_staple(const LabelVectors& vectors, const Options& options,
                                            LabelEstimate& estimate);

/// A plurality vote weighted by mean Dice over the labels; raters far below the others are dropped.
std::vector<std::size_t> solve_label_simple(const LabelVectors& vectors, const Options& options,
                                            LabelEstimate& estimate);

/// The place most weight is behind, for each row; one more than the last on a tie.
std::vector<std::size_t> vote(const LabelVectors& vectors, const std::vector<double>& weights);

}  // namespace crema
