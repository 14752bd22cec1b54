// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/visits.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "crema/counts/macchiato/minimum.h"

namespace crema {
namespace {

/// Levels closer than this are the same but for rounding.
constexpr double kSameLevel = 1e-9;

/// What can be said of a block without numbering raters: how many drew it, its voxels, and size and weight of
/// each rater, the largest first.
struct Description {
  std::size_t raters = 0;
  double voxels = 0;
  std::vector<std::pair<double, double>> members = {};

  friend bool operator==(const Description&, const Description&) = default;
  friend bool operator<(const Description& a, const Description& b) {
    return std::tie(a.raters, a.voxels, a.members) > std::tie(b.raters, b.voxels, b.members);
  }
};

Description describe(const Problem& problem, std::size_t block) {
  Description text{.voxels = problem.voxels[block]};
  for (std::size_t k = 0; k < problem.panel.count(); ++k)
    if (problem.share_of(block)[k] > 0)
      text.members.emplace_back(problem.panel.size[k], problem.panel.weight[k]);
  text.raters = text.members.size();
  std::sort(text.members.begin(), text.members.end(), std::greater<>());
  return text;
}

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
  for (std::size_t b = 0; b < problem.blocks(); ++b) described.emplace_back(describe(problem, b), b);
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
