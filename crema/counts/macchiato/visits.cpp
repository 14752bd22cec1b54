// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/visits.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "crema/counts/macchiato/minimum.h"

namespace crema {
namespace {

/// Levels closer than this are the same but for rounding.
constexpr double kSameLevel = 1e-9;

/// What can be said of a block without numbering raters: how many drew it, its voxels, and the size and
/// weight of each rater.
struct Description {
  std::size_t raters = 0;
  double voxels = 0;
  Raters members = 0;  ///< see Describer

  friend bool operator==(const Description&, const Description&) = default;
  friend bool operator<(const Description& a, const Description& b) {
    return std::tie(a.raters, a.voxels, a.members) > std::tie(b.raters, b.voxels, b.members);
  }
};

/// Raters by size and weight, the largest at the highest bit. Of those alike in both a block has the first
/// ones, however they are numbered: of two blocks with as many raters the larger number is the one whose
/// raters, largest first, are larger where they begin to differ.
class Describer {
 public:
  explicit Describer(const Problem& problem) : problem_(problem) {
    const Panel& panel = problem.panel;
    const auto kind = [&](std::size_t k) { return std::pair(panel.size[k], panel.weight[k]); };
    std::vector<std::size_t> order(panel.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return kind(a) > kind(b); });
    for (std::size_t i = 0; i < order.size(); ++i)
      places_.push_back({order[i], i > 0 && kind(order[i]) == kind(order[i - 1])});
  }

  [[nodiscard]] Description describe(std::size_t block) const {
    Description text{.voxels = problem_.voxels[block]};
    const double* const share = problem_.share_of(block);
    unsigned next = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i].is_like_last) next = static_cast<unsigned>(i);
      const unsigned drew = share[places_[i].rater] > 0 ? 1 : 0;
      text.members |= Raters{drew} << (kMaxRaters - 1 - next);
      text.raters += drew;
      next += drew;
    }
    return text;
  }

 private:
  struct Place {
    std::size_t rater;
    bool is_like_last;
  };

  const Problem& problem_;
  std::vector<Place> places_;
};

/// Sorts each visit and parts it where neighbours are not alike. What compares equal is put by what it was
/// sorted by first: by change, and by block.
template <class Less, class Alike>
void refine(Order& order, Less less, Alike alike) {
  std::vector<std::size_t> ends;
  const auto at = [&](std::size_t i) { return order.candidates.begin() + static_cast<std::ptrdiff_t>(i); };
  std::size_t begin = 0;
  for (const std::size_t end : order.ends) {
    std::sort(at(begin), at(end), [&](const Candidate& a, const Candidate& b) {
      if (less(a, b) || less(b, a)) return less(a, b);
      return std::tie(a.change, a.unit, a.block) < std::tie(b.change, b.unit, b.block);
    });
    for (std::size_t i = begin + 1; i < end; ++i)
      if (!alike(order.candidates[i - 1], order.candidates[i])) ends.push_back(i);
    ends.push_back(begin = end);
  }
  order.ends = std::move(ends);
}

bool alike_in_change(const Candidate& a, const Candidate& b) {
  return std::abs(a.change - b.change) <= kTie * std::max(a.unit, b.unit);
}

/// What changes alike, by description and then by levels.
void refine_alike(const std::vector<std::uint32_t>& ranks, Order& order) {
  refine(
      order, [&](const auto& a, const auto& b) { return ranks[a.block] < ranks[b.block]; },
      [&](const auto& a, const auto& b) { return ranks[a.block] == ranks[b.block]; });
  for (const auto level : {&Candidate::now, &Candidate::best})
    refine(
        order, [=](const auto& a, const auto& b) { return a.*level < b.*level; },
        [=](const auto& a, const auto& b) { return std::abs(a.*level - b.*level) <= kSameLevel; });
}

}  // namespace

std::vector<std::uint32_t> rank_blocks(const Problem& problem) {
  std::vector<std::pair<Description, std::size_t>> described;
  const Describer describer(problem);
  for (std::size_t b = 0; b < problem.blocks(); ++b) described.emplace_back(describer.describe(b), b);
  std::sort(described.begin(), described.end());
  std::vector<std::uint32_t> ranks(problem.blocks(), 0);
  for (std::size_t i = 1; i < described.size(); ++i)
    ranks[described[i].second] =
        ranks[described[i - 1].second] + (described[i - 1].first == described[i].first ? 0 : 1);
  return ranks;
}

void order_visits(const std::vector<std::uint32_t>& ranks, Order& order) {
  auto& candidates = order.candidates;
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.change, a.unit, a.block) < std::tie(b.change, b.unit, b.block);
  });
  order.ends.clear();
  for (std::size_t i = 1; i <= candidates.size(); ++i)
    if (i == candidates.size() || !alike_in_change(candidates[i - 1], candidates[i])) order.ends.push_back(i);
  if (order.ends.size() < candidates.size()) refine_alike(ranks, order);
}

}  // namespace crema
