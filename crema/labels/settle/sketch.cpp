// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/sketch.h"

#include <algorithm>

#include "crema/labels/settle/hard.h"

namespace crema {
namespace {

std::vector<std::uint32_t> key_of(const Stake& stake) {
  std::vector<std::uint32_t> key(stake.said.begin(), stake.said.end());
  key.push_back(static_cast<std::uint32_t>(stake.holder - DisputedBlock::kNobody));
  for (const LabelCandidate& candidate : stake.candidates)
    key.insert(key.end(), {candidate.place, candidate.component, candidate.holds ? 1U : 0U});
  return key;
}

}  // namespace

void Sketch::add(std::int64_t first, std::int64_t length, const Stake& stake) {
  std::vector<std::uint32_t> key = key_of(stake);
  if (key != last_key_ || pieces_.empty()) {
    const auto [found, fresh] = block_of_key_.try_emplace(key, blocks_.size());
    pieces_.push_back({first, 0, fresh ? open(stake) : found->second});
    last_key_ = std::move(key);
  } else if (pieces_.back().first + pieces_.back().length != first) {
    pieces_.push_back({first, 0, pieces_.back().block});
  }
  pieces_.back().length += length;
  blocks_[pieces_.back().block].voxels += length;
}

std::size_t Sketch::open(const Stake& stake) {
  DisputedBlock block{.claims = {}, .labelled = stake.labelled, .holder = stake.holder};
  for (const LabelCandidate& candidate : stake.candidates) {
    Raters raters = 0;
    for (std::size_t k = 0; k < stake.said.size(); ++k)
      if (stake.said[k] == candidate.place) raters |= Raters{1} << k;
    block.claims.push_back({claimant_of(candidate), raters, candidate.holds});
  }
  blocks_.push_back(std::move(block));
  said_.emplace_back(stake.said.begin(), stake.said.end());
  candidates_.emplace_back(stake.candidates.begin(), stake.candidates.end());
  return blocks_.size() - 1;
}

std::size_t Sketch::claimant_of(const LabelCandidate& candidate) {
  if (candidate.component == ComponentFinder::kNone) return Claim::kNoComponent;
  const ClaimedPart part{candidate.place - 1U, candidate.component};
  const auto [found, fresh] = place_of_part_.try_emplace(part, claimants_.size());
  if (fresh) {
    parts_.push_back(part);
    claimants_.push_back({.sums = {}});
  }
  return found->second;
}

void Sketch::settle(const std::vector<std::size_t>& chosen, const InsideOf& inside,
                    const SettleOptions& options) {
  total_ = 0;
  for (const std::size_t s : chosen) {
    const auto& crowns = counts_.structures[s].reduction.crowns;
    for (std::size_t c = 0; c < crowns.size(); ++c) {
      Sums sums = sum_inside(crowns[c].tally, inside(s, c));
      const auto found = place_of_part_.find({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(c)});
      if (found == place_of_part_.end())
        total_ += criterion(sums, options.distance, options.weights);
      else
        claimants_[found->second].sums = std::move(sums);
    }
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) claimants_[i].keeps = kept_.contains(parts_[i]);
  sweeps_ = crema::settle(claimants_, blocks_, options);
  for (const Claimant& claimant : claimants_) {
    total_ += criterion(claimant.sums, options.distance, options.weights);
    emptied_ += claimant.emptied ? 1 : 0;
  }
  paint();
}

void Sketch::paint() {
  for (const Piece& piece : pieces_) {
    const int holder = blocks_[piece.block].holder;
    const Label place =
        holder < 0 ? Label{0} : candidates_[piece.block][static_cast<std::size_t>(holder)].place;
    std::fill_n(places.begin() + piece.first, piece.length, place);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (claimants_[i].emptied)
      for_each_voxel(counts_.structures[parts_[i].structure], parts_[i].component,
                     [&](std::size_t voxel, std::uint32_t) {
                       if (places[voxel] == parts_[i].structure + 1) places[voxel] = 0;
                     });
}

}  // namespace crema
