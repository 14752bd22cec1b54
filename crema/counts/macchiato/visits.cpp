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

/// Sorts each visit by a key and parts it where the keys of neighbours differ.
template <class Key, class Same>
std::vector<Visit> refine(std::vector<Visit> visits, Key key, Same same) {
  std::vector<Visit> refined;
  for (Visit& visit : visits) {
    if (visit.size() == 1) {
      refined.push_back(std::move(visit));
      continue;
    }
    std::vector<std::pair<decltype(key(visit.front())), Candidate>> keyed;
    for (const Candidate& c : visit) keyed.emplace_back(key(c), c);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i) {
      if (i == 0 || !same(keyed[i - 1].first, keyed[i].first)) refined.emplace_back();
      refined.back().push_back(keyed[i].second);
    }
  }
  return refined;
}

}  // namespace

std::vector<Visit> order_visits(const Problem& problem, std::vector<Candidate> candidates) {
  using Change = std::pair<double, double>;  // and its unit
  const auto near = [](double a, double b) { return std::abs(a - b) <= kSameLevel; };
  std::vector<Visit> visits{std::move(candidates)};
  visits = refine(
      std::move(visits), [](const Candidate& c) { return Change(c.change, c.unit); },
      [](const Change& a, const Change& b) {
        return std::abs(a.first - b.first) <= kTie * std::max(a.second, b.second);
      });
  visits = refine(
      std::move(visits), [&](const Candidate& c) { return describe(problem, c.block); }, std::equal_to<>());
  visits = refine(
      std::move(visits), [](const Candidate& c) { return c.now; }, near);
  return refine(
      std::move(visits), [](const Candidate& c) { return c.best; }, near);
}

}  // namespace crema
