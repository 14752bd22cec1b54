// SPDX-License-Identifier: Apache-2.0
#include "crema/labels/settle/settle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "crema/counts/precise.h"

namespace crema {
namespace {

/// Every move of a settled block lowers the criterion, so that this is never reached but by rounding.
constexpr int kMaxSweeps = 1000;
/// Differences below are rounding errors of sums of squared distances, or must be looked at precisely.
constexpr double kNear = 1e-11, kPreciselyNear = 1e-26;

/// Where all coefficients are whole, nothing is rounded before the division.
template <class Real>
Real inner_of(const Ratio& ratio, std::int64_t overlap, std::int64_t extent, std::int64_t size) {
  return ratio.is_whole() ? ratio.inner_of_whole<Real>(overlap, extent, size)
                          : ratio.inner_of_counts<Real>(overlap, extent, size);
}
template <class Real>
Real inner_of(const Hamming& hamming, std::int64_t overlap, std::int64_t extent, std::int64_t size) {
  return hamming.inner_of_counts<Real>(overlap, extent, size);
}

bool nearly(double a, double b) { return std::abs(a - b) <= kNear; }

/// What a block would do while all else stays.
struct Plan {
  int choice = DisputedBlock::kNobody;
  double change = 0;       ///< of the total criterion
  std::uint64_t made = 0;  ///< when; plans are void once a claimant of the block changes
};

class Settlement {
 public:
  Settlement(std::vector<Claimant>& claimants, std::vector<DisputedBlock>& blocks,
             const SettleOptions& options)
      : claimants_(claimants),
        blocks_(blocks),
        options_(options),
        formula_(formula_of(options.distance)),
        plans_(blocks.size()),
        changed_(claimants.size(), 1),
        order_(blocks.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return blocks_[a].voxels > blocks_[b].voxels; });
  }

  int run() {
    int sweeps = 0;
    do {
      for (bool moved = true; moved && sweeps < kMaxSweeps; ++sweeps) moved = sweep();
    } while (sweeps < kMaxSweeps && empty_some());
    return sweeps;
  }

 private:
  bool sweep() {
    bool moved = false;
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t last = first + 1;
      while (last < order_.size() && blocks_[order_[last]].voxels == blocks_[order_[first]].voxels) ++last;
      moved = visit_equals(std::span(order_).subspan(first, last - first)) || moved;
      first = last;
    }
    return moved;
  }

  /// Blocks of one size, those first that reach the least total.
  bool visit_equals(std::span<std::size_t> equals) {
    if (equals.size() == 1) return decide(equals);
    std::vector<std::pair<double, std::size_t>> reached;
    for (const std::size_t b : equals) reached.emplace_back(plan(b).change, b);
    std::sort(reached.begin(), reached.end());
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t first = 0; first < reached.size();) {
      std::size_t last = first + 1;
      while (last < reached.size() && nearly(reached[last - 1].first, reached[last].first)) ++last;
      add_groups(std::span(reached).subspan(first, last - first), groups);
      first = last;
    }
    bool moved = false;
    for (std::vector<std::size_t>& group : groups) moved = decide(group) || moved;
    return moved;
  }

  /// Separates ties from differences that rounding hides.
  void add_groups(std::span<const std::pair<double, std::size_t>> near,
                  std::vector<std::vector<std::size_t>>& groups) {
    if (near.size() == 1) return void(groups.push_back({near.front().second}));
    std::vector<std::pair<Precise, std::size_t>> reached;
    for (const auto& [change, b] : near) reached.emplace_back(change_by<Precise>(b, plans_[b].choice), b);
    std::sort(reached.begin(), reached.end());
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (i == 0 || reached[i].first - reached[i - 1].first > static_cast<Precise>(kPreciselyNear))
        groups.emplace_back();
      groups.back().push_back(reached[i].second);
    }
  }

  /// Decides tied blocks, each against all others as they were. Returns whether any moved.
  bool decide(std::span<const std::size_t> group) {
    std::vector<std::pair<std::size_t, int>> moves;
    bool open = false;
    for (const std::size_t b : group) {
      const int choice = plan(b).choice;
      open = open || blocks_[b].holder == DisputedBlock::kOpen;
      if (choice != blocks_[b].holder) moves.emplace_back(b, choice);
    }
    if (moves.empty()) return false;
    // One block that moves lowers the total; several may spoil it together.
    const bool doubtful = moves.size() > 1 && !open;
    const std::vector<std::size_t> touched = doubtful ? claimants_of(moves) : std::vector<std::size_t>();
    const Precise before = total_of(touched);
    swap_holders(moves);
    if (doubtful && !(before - total_of(touched) > static_cast<Precise>(kPreciselyNear))) {
      swap_holders(moves);
      return false;
    }
    return true;
  }

  void swap_holders(std::vector<std::pair<std::size_t, int>>& moves) {
    for (auto& [b, holder] : moves) {
      take_away(b);
      std::swap(blocks_[b].holder, holder);
      give(b, blocks_[b].holder, 1);
      for (const Claim& claim : blocks_[b].claims)
        if (claim.claimant != Claim::kNoComponent) changed_[claim.claimant] = clock_ + 1;
    }
    ++clock_;
  }

  [[nodiscard]] std::vector<std::size_t> claimants_of(
      const std::vector<std::pair<std::size_t, int>>& moves) const {
    std::vector<std::size_t> all;
    for (const auto& [b, holder] : moves)
      for (const Claim& claim : blocks_[b].claims)
        if (claim.claimant != Claim::kNoComponent) all.push_back(claim.claimant);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  [[nodiscard]] Precise total_of(const std::vector<std::size_t>& claimants) const {
    Precise total = 0;
    for (const std::size_t c : claimants) total += criterion_of<Precise>(claimants_[c].sums);
    return total;
  }

  void add(const DisputedBlock& block, const Claim& claim, double sign) {
    if (claim.claimant == Claim::kNoComponent) return;
    Sums& sums = claimants_[claim.claimant].sums;
    const double voxels = sign * static_cast<double>(block.voxels);
    sums.total += voxels;
    sums.squares += voxels;
    for (Raters left = claim.raters; left != 0; left &= left - 1)
      sums.overlap[static_cast<std::size_t>(std::countr_zero(left))] += voxels;
  }

  void give(std::size_t b, int holder, double sign) {
    const DisputedBlock& block = blocks_[b];
    if (holder >= 0) add(block, block.claims[static_cast<std::size_t>(holder)], sign);
    if (holder != DisputedBlock::kOpen) return;
    for (const Claim& claim : block.claims)
      if (claim.holds) add(block, claim, sign);
  }

  void take_away(std::size_t b) { give(b, blocks_[b].holder, -1); }

  template <class Real>
  [[nodiscard]] Real criterion_of(const Sums& sums) const {
    const auto count = [](double voxels) { return static_cast<std::int64_t>(voxels); };
    Real sum = 0;
    for (std::size_t k = 0; k < sums.size.size(); ++k) {
      if (sums.total + sums.size[k] == 0) continue;  // consensus and rater are empty alike
      const auto weight = static_cast<Real>(options_.weights.empty() ? 1 : options_.weights[k]);
      sum += std::visit(
          [&](const auto& formula) {
            return formula.term(weight, inner_of<Real>(formula, count(sums.overlap[k]), count(sums.total),
                                                       count(sums.size[k])));
          },
          formula_);
    }
    return sum;
  }

  /// What the claimants of a block that nobody holds come to with that holder.
  template <class Real>
  Real total_with(std::size_t b, int holder) {
    give(b, holder, 1);
    Real total = 0;
    for (const Claim& claim : blocks_[b].claims)
      if (claim.claimant != Claim::kNoComponent) total += criterion_of<Real>(claimants_[claim.claimant].sums);
    give(b, holder, -1);
    return total;
  }

  template <class Real>
  Real change_by(std::size_t b, int choice) {
    const int holder = blocks_[b].holder;
    take_away(b);
    const Real change = total_with<Real>(b, choice) - total_with<Real>(b, holder);
    give(b, holder, 1);
    return change;
  }

  /// Those that may have it, the first of them on a tie.
  [[nodiscard]] std::vector<int> choices_of(const DisputedBlock& block) const {
    std::vector<int> choices;
    const auto raters = [&](int i) {
      return std::popcount(block.claims[static_cast<std::size_t>(i)].raters);
    };
    for (std::size_t i = 0; i < block.claims.size(); ++i) {
      const std::size_t claimant = block.claims[i].claimant;
      if (claimant == Claim::kNoComponent || !claimants_[claimant].emptied)
        choices.push_back(static_cast<int>(i));
    }
    std::stable_sort(choices.begin(), choices.end(), [&](int a, int b) { return raters(a) > raters(b); });
    if (!block.labelled) choices.push_back(DisputedBlock::kNobody);
    const auto own = std::find(choices.begin(), choices.end(), block.holder);
    if (own != choices.end()) std::rotate(choices.begin(), own, own + 1);
    return choices;
  }

  const Plan& plan(std::size_t b) {
    Plan& known = plans_[b];
    const auto fresh = [&](const Claim& claim) {
      return claim.claimant == Claim::kNoComponent || changed_[claim.claimant] <= known.made;
    };
    const std::vector<Claim>& claims = blocks_[b].claims;
    if (known.made > 0 && std::all_of(claims.begin(), claims.end(), fresh)) return known;
    const int holder = blocks_[b].holder;
    take_away(b);
    const std::vector<int> choices = choices_of(blocks_[b]);
    known = {choices.front(), total_with<double>(b, choices.front()), clock_};
    for (std::size_t i = 1; i < choices.size(); ++i) {
      const double total = total_with<double>(b, choices[i]);
      if (nearly(total, known.change) ? precisely_lower(b, choices[i], known.choice) : total < known.change)
        known = {choices[i], total, clock_};
    }
    known.change -= total_with<double>(b, holder);
    give(b, holder, 1);
    return known;
  }

  bool precisely_lower(std::size_t b, int choice, int than) {
    return total_with<Precise>(b, than) - total_with<Precise>(b, choice) >
           static_cast<Precise>(kPreciselyNear);
  }

  /// Components that lost so much that they are better empty; what they held is free for the others.
  bool empty_some() {
    if (options_.empty_test == EmptyTest::skip) return false;
    std::vector<bool> needed(claimants_.size());
    for (std::size_t c = 0; c < claimants_.size(); ++c) needed[c] = claimants_[c].keeps;
    for (const DisputedBlock& block : blocks_)
      if (const std::size_t holder = holder_of(block); block.labelled && holder != Claim::kNoComponent)
        needed[holder] = true;
    bool any = false;
    for (std::size_t c = 0; c < claimants_.size(); ++c)
      if (!needed[c] && try_empty(claimants_[c])) {
        any = true;
        changed_[c] = clock_ + 1;
      }
    ++clock_;
    for (DisputedBlock& block : blocks_)
      if (const std::size_t holder = holder_of(block);
          holder != Claim::kNoComponent && claimants_[holder].emptied)
        block.holder = DisputedBlock::kNobody;
    return any;
  }

  [[nodiscard]] static std::size_t holder_of(const DisputedBlock& block) {
    return block.holder < 0 ? Claim::kNoComponent
                            : block.claims[static_cast<std::size_t>(block.holder)].claimant;
  }

  [[nodiscard]] bool try_empty(Claimant& claimant) const {
    if (claimant.emptied || claimant.sums.total == 0) return false;
    Sums nothing = claimant.sums;
    nothing.total = nothing.squares = 0;
    std::fill(nothing.overlap.begin(), nothing.overlap.end(), 0.0);
    if (!empty_is_better(criterion_of<double>(nothing), criterion_of<double>(claimant.sums), options_.tie))
      return false;
    claimant.emptied = true;
    claimant.sums = nothing;
    return true;
  }

  std::vector<Claimant>& claimants_;
  std::vector<DisputedBlock>& blocks_;
  const SettleOptions& options_;
  Formula formula_;
  std::vector<Plan> plans_;
  std::vector<std::uint64_t> changed_;  ///< when each claimant changed last
  std::uint64_t clock_ = 1;
  std::vector<std::size_t> order_;
};

}  // namespace

int settle(std::vector<Claimant>& claimants, std::vector<DisputedBlock>& blocks,
           const SettleOptions& options) {
  return Settlement(claimants, blocks, options).run();
}

}  // namespace crema
