// SPDX-License-Identifier: Apache-2.0
// Disjoint masks: what is claimed twice is settled from two starts, and the better end is kept.
#include "crema/labels/settle/hard.h"

#include <algorithm>
#include <map>

#include "crema/base/memory.h"
#include "crema/options.h"

namespace crema {
namespace {

/// A total this much lower is no rounding error.
constexpr double kRounding = 1e-12;

SettleOptions settle_options(const Method& method, const Options& options) {
  return {.distance = method.distance.with(options.tversky),
          .weights = options.weights,
          .tie = options.tie,
          .empty_test = options.empty_test};
}

/// The plurality vote, settled; nothing where it is no start or ends no better.
std::optional<Sketch> better_by_vote(Contest& contest, const Method& method, const Options& options,
                                     double than) {
  if (contest.chosen().size() < 2 || method.aim != Aim::distance) return {};
  const LabelCounts& counts = contest.counts();
  if (options.memory)
    options.memory->require("settling the labels", counts.grid().voxels() * std::int64_t{sizeof(Label)},
                            "crop the images");
  Sketch vote = start_by_vote(contest, options);
  const auto inside = [&](std::size_t s, std::size_t c) {
    std::vector<std::int64_t> own(counts.structures[s].reduction.crowns[c].tally.rows.size(), 0);
    for_each_voxel(counts.structures[s], c, [&](std::size_t voxel, std::uint32_t row) {
      own[row] += vote.places[voxel] == s + 1 ? 1 : 0;
    });
    return own;
  };
  vote.settle(contest.chosen(), inside, settle_options(method, options));
  if (vote.total() >= than * (1 - kRounding)) return {};
  return vote;
}

/// Says how voxels that several labels claimed alone were settled in the end.
void list_disputes(const LabelCounts& counts, const Sketch& alone, const LabelImage& places,
                   LabelConsensus& consensus) {
  const auto value_of = [&](Label place) {
    return place == 0 ? Label{0} : counts.structures[place - 1U].structure.value;
  };
  std::map<std::pair<std::size_t, Label>, Dispute> found;
  for (const Piece& piece : alone.pieces()) {
    std::vector<Label> claimants;
    for (const LabelCandidate& candidate : alone.candidates(piece.block))
      if (candidate.holds) claimants.push_back(value_of(candidate.place));
    if (claimants.empty()) consensus.filled += piece.length;
    if (claimants.size() < 2) continue;
    consensus.claimed_twice += piece.length;
    for (std::int64_t v = piece.first; v < piece.first + piece.length; ++v) {
      const Label place = places[static_cast<std::size_t>(v)];
      Dispute& dispute = found[{piece.block, place}];
      if (dispute.voxels++ > 0) continue;
      dispute.first = v;
      dispute.claimants = claimants;
      dispute.given = value_of(place);
      for (const Label said : alone.said(piece.block)) dispute.said.push_back(value_of(said));
    }
  }
  for (auto& [block, dispute] : found) consensus.disputes.push_back(std::move(dispute));
  std::sort(consensus.disputes.begin(), consensus.disputes.end(), [](const Dispute& a, const Dispute& b) {
    return a.voxels != b.voxels ? a.voxels > b.voxels : a.first < b.first;
  });
}

/// Places become the values of their structures.
LabelImage with_values(LabelImage places, const LabelCounts& counts) {
  bool same = true;
  std::vector<Label> values{0};
  for (const StructureCounts& own : counts.structures) {
    same = same && own.structure.value == values.size();
    values.push_back(own.structure.value);
  }
  if (same) return places;
  for (Label& place : places)
    if (place != 0) place = values[place];
  return places;
}

}  // namespace

Sums sum_inside(const Tally& tally, const std::vector<std::int64_t>& inside) {
  Sums sums{.overlap = std::vector<double>(static_cast<std::size_t>(tally.raters), 0),
            .size = std::vector<double>(static_cast<std::size_t>(tally.raters), 0)};
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const auto taken = static_cast<double>(inside[r]);
    sums.total += taken;
    for (std::size_t k = 0; k < sums.size.size(); ++k)
      if ((tally.rows[r].raters >> k & 1) != 0) {
        sums.overlap[k] += taken;
        sums.size[k] += static_cast<double>(tally.rows[r].voxels);
      }
  }
  sums.squares = sums.total;
  return sums;
}

Taken taken_by(const StructureCounts& counts, const std::vector<Decision>& components) {
  Taken taken;
  for (std::size_t c = 0; c < components.size(); ++c)
    for_each_inside(counts, c, components[c],
                    [&](std::size_t voxel) { extend(taken, static_cast<std::int64_t>(voxel)); });
  if (components.size() > 1)
    std::sort(taken.begin(), taken.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  return taken;
}

LabelImage paint_disjoint(const LabelCounts& counts, const std::vector<std::size_t>& chosen,
                          const std::vector<Taken>& taken, const Options& options,
                          LabelConsensus& consensus) {
  const Method& method = *consensus.method;
  Contest contest(counts, chosen);
  Sketch alone = start_alone(contest, taken, method.several == Several::settled ? Holes::fill : Holes::leave);
  const auto inside = [&](std::size_t s, std::size_t c) {
    return consensus.labels[s].alone.components[c].inside;
  };
  alone.settle(contest.chosen(), inside, settle_options(method, options));
  std::optional<Sketch> vote = better_by_vote(contest, method, options, alone.total());
  Sketch& best = vote ? *vote : alone;
  consensus.sweeps += best.sweeps();
  consensus.emptied += best.emptied();
  list_disputes(counts, alone, best.places, consensus);
  return with_values(std::move(best.places), counts);
}

}  // namespace crema
