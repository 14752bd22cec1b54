// SPDX-License-Identifier: Apache-2.0
// One consensus of several labels, in which no voxel has two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crema/labels/structures.h"

namespace crema {

/// How voxels that several labels claimed were settled: those with the same label from every rater, the same
/// claimants, the same components and the same end.
struct Dispute {
  std::int64_t voxels = 0;
  std::int64_t first = 0;        ///< its first voxel in raster order
  std::vector<Label> said;       ///< by each rater: the value of the structure it falls into; 0: none of them
  std::vector<Label> claimants;  ///< the labels that took it when they were alone
  Label given = 0;               ///< 0: to nobody
};

/// One label's part in a joint consensus.
struct LabelResult {
  Solution alone;  ///< as if there were no other label; without a method where labels are not solved alone
  Solution joint;  ///< what the label got in the end
  double lmsd_alone = 0;  ///< Σ of the lower one of both, per component
};

/// Levels of one label, per voxel of its components in the order of their runs; with probability maps, of the
/// parts of its support.
using LabelLevels = std::vector<std::vector<float>>;

/// What was found out about the raters, by methods that estimate it.
struct LabelEstimate {
  std::vector<double> prior = {};  ///< per place: background, then the labels as in LabelCounts
  std::vector<std::vector<double>> confusion = {};  ///< per rater: θ(said, true), row by row
  std::vector<double> score = {};                   ///< `simple`: mean Dice overlap with the estimate
  Raters dropped = 0;                               ///< `simple`: who has no influence on the result
  int iterations = 0;
  bool converged = false;
};

struct LabelConsensus {
  const Method* method = nullptr;
  LabelImage image;                        ///< each voxel's label, 0 where none
  std::vector<LabelResult> labels;         ///< as in LabelCounts
  std::vector<LabelLevels> levels = {};    ///< for soft methods, as in LabelCounts
  double lmsd = 0;                         ///< Σ over the labels
  double lmsd_alone = 0;                   ///< what labels that may overlap reach at most; never above lmsd
  std::optional<double> lower_bound = {};  ///< no consensus without overlaps has a lower LMSD
  std::size_t unproven = 0;                ///< components whose proof ran out of budget
  std::int64_t claimed_twice = 0;          ///< voxels that several labels took, each alone
  std::vector<Dispute> disputes = {};      ///< the largest first
  int sweeps = 0;
  std::size_t emptied = 0;  ///< components that were given up because of what they lost
  std::int64_t filled =
      0;  ///< voxels that every rater labelled and no label took alone; one of theirs has them
  std::int64_t unlabelled = 0;          ///< voxels that every rater gave some label, and the consensus none
  std::int64_t cut = 0;                 ///< voxels that a region took outside the one it lies inside
  std::vector<LabelImage> layers = {};  ///< in place of the image, where labels may overlap
  std::vector<std::size_t> layer_of = {};  ///< the layer that each label has there
  std::int64_t shared = 0;                 ///< voxels that have several labels there
  std::int64_t undecided = 0;              ///< voxels of a vote that ended in a tie
  std::optional<LabelEstimate> estimate = {};
  Warnings warnings = {};
};

/// Each label alone, then what is disputed is settled by the least total criterion, or levels whose sum is
/// above 1 are divided by it. A vote goes to the label with most raters. Regions are masks, so that every
/// method fuses them; throws UsageError for a method that does not fuse labels.
LabelConsensus solve_labels(const LabelCounts& counts, const Method& method, const Options& options);

/// What a label takes alone goes behind the labels before it, its bound into that of all.
void add_alone(LabelConsensus& consensus, Solution alone);

/// The options with which a label is solved alone.
Options options_alone(const StructureCounts& counts, const Method& method, const Options& options);

/// What each label got of what is painted: fills in `joint` of `labels`.
void measure_labels(const LabelCounts& counts, const Distance& distance, const std::vector<double>& weights,
                    LabelConsensus& consensus);

/// What one label got, as an image of its own: a mask, or levels of a soft method. To be used while the
/// consensus still holds its image.
Image image_of_label(const LabelCounts& counts, const LabelConsensus& consensus, std::size_t s);

/// The label that voxels of an exact tie get in a vote: the lowest tied one is the tie policy's `foreground`.
LabelImage plurality(const LabelCounts& counts, const Options& options, LabelConsensus& consensus);

}  // namespace crema
