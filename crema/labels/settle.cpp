// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace crema {
namespace {

/// Every move after the first sweep lowers the criterion, so that this is never reached but by rounding.
constexpr int kMostSweeps = 1000;

/// Sums from small to large: neither the order of raters nor that of labels shows in the last digit.
double sorted_sum(std::vector<double>& terms) {
  std::sort(terms.begin(), terms.end());
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

class Settling {
 public:
  Settling(std::vector<Claimant>& claimants, std::vector<DisputedBlock>& blocks, const SettleOptions& options)
      : claimants_(claimants), blocks_(blocks), options_(options), order_(blocks.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      const DisputedBlock &one = blocks_[a], &other = blocks_[b];
      return one.voxels != other.voxels ? one.voxels > other.voxels : one.first < other.first;
    });
  }

  int run() {
    int sweeps = 0;
    do {
      bool moved = true;
      for (; moved && sweeps < kMostSweeps; ++sweeps) {
        moved = false;
        for (const std::size_t b : order_) moved = place(blocks_[b]) || moved;
      }
    } while (sweeps < kMostSweeps && empty_some());
    return sweeps;
  }

 private:
  void add(const DisputedBlock& block, const Claim& claim, double sign) {
    Sums& sums = claimants_[claim.claimant].sums;
    const double voxels = sign * static_cast<double>(block.voxels);
    sums.total += voxels;
    sums.squares += voxels;
    for (Raters left = claim.raters; left != 0; left &= left - 1)
      sums.overlap[static_cast<std::size_t>(std::countr_zero(left))] += voxels;
  }

  double criterion_of(const Sums& sums) {
    terms_.clear();
    for (std::size_t k = 0; k < sums.size.size(); ++k) {
      const double d = distance_to(sums, static_cast<int>(k), options_.distance);
      terms_.push_back(d * d * (options_.weights.empty() ? 1 : options_.weights[k]));
    }
    return sorted_sum(terms_);
  }

  /// What a block's claimants come to when the block is held by one of them, or by nobody.
  double total_with(const DisputedBlock& block, int holder) {
    if (holder >= 0) add(block, block.claims[static_cast<std::size_t>(holder)], 1);
    parts_.clear();
    for (const Claim& claim : block.claims) parts_.push_back(criterion_of(claimants_[claim.claimant].sums));
    if (holder >= 0) add(block, block.claims[static_cast<std::size_t>(holder)], -1);
    return sorted_sum(parts_);
  }

  [[nodiscard]] bool may_hold(const DisputedBlock& block, int holder) const {
    return holder < 0 || !claimants_[block.claims[static_cast<std::size_t>(holder)].claimant].emptied;
  }

  void take_away(const DisputedBlock& block) {
    for (std::size_t i = 0; i < block.claims.size(); ++i)
      if ((block.holder == DisputedBlock::kOpen && may_hold(block, static_cast<int>(i))) ||
          block.holder == static_cast<int>(i))
        add(block, block.claims[i], -1);
  }

  /// Returns whether the block got another holder.
  bool place(DisputedBlock& block) {
    take_away(block);
    std::vector<int> choices;
    for (std::size_t i = 0; i < block.claims.size(); ++i) choices.push_back(static_cast<int>(i));
    std::stable_sort(choices.begin(), choices.end(), [&](int a, int b) {
      return std::popcount(block.claims[static_cast<std::size_t>(a)].raters) >
             std::popcount(block.claims[static_cast<std::size_t>(b)].raters);
    });
    choices.push_back(DisputedBlock::kNobody);
    const int before = block.holder;
    int best = before == DisputedBlock::kOpen ? DisputedBlock::kNobody : before;
    double least =
        before == DisputedBlock::kOpen ? std::numeric_limits<double>::infinity() : total_with(block, before);
    for (const int choice : choices) {
      if (choice == before || !may_hold(block, choice)) continue;
      const double total = total_with(block, choice);
      if (total >= least) continue;
      least = total;
      best = choice;
    }
    block.holder = best;
    if (best >= 0) add(block, block.claims[static_cast<std::size_t>(best)], 1);
    return best != before;
  }

  /// Components that lost so much that they are better empty; what they held is open again to the others.
  bool empty_some() {
    if (options_.empty_test == EmptyTest::skip) return false;
    bool any = false;
    for (std::size_t c = 0; c < claimants_.size(); ++c) {
      Claimant& claimant = claimants_[c];
      if (claimant.emptied || claimant.sums.total == 0) continue;
      Sums nothing = claimant.sums;
      nothing.total = nothing.squares = 0;
      std::fill(nothing.overlap.begin(), nothing.overlap.end(), 0.0);
      if (!empty_is_better(criterion_of(nothing), criterion_of(claimant.sums), options_.tie)) continue;
      claimant.emptied = any = true;
      claimant.sums = nothing;
      for (DisputedBlock& block : blocks_)
        if (block.holder >= 0 && block.claims[static_cast<std::size_t>(block.holder)].claimant == c)
          block.holder = DisputedBlock::kNobody;
    }
    return any;
  }

  std::vector<Claimant>& claimants_;
  std::vector<DisputedBlock>& blocks_;
  const SettleOptions& options_;
  std::vector<std::size_t> order_;
  std::vector<double> terms_, parts_;
};

}  // namespace

int settle(std::vector<Claimant>& claimants, std::vector<DisputedBlock>& blocks,
           const SettleOptions& options) {
  return Settling(claimants, blocks, options).run();
}

}  // namespace crema
