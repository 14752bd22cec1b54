// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crema::study {
namespace {

constexpr std::size_t kExactPairs = 50;

/// Twice the ranks of the sizes of sorted differences, which are whole also where several share one; and
/// Σ t³ − t over those that do.
struct Ranks {
  std::vector<std::int64_t> twice;
  double ties = 0;
};

Ranks ranks_of(std::span<const double> sorted) {
  Ranks ranks;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first + 1;
    while (end < sorted.size() && std::abs(sorted[end]) - std::abs(sorted[first]) < kEqualDifferences) ++end;
    const auto shared = static_cast<double>(end - first);
    ranks.twice.insert(ranks.twice.end(), end - first, static_cast<std::int64_t>(first + 1 + end));
    ranks.ties += shared * shared * shared - shared;
    first = end;
  }
  return ranks;
}

/// The chance of a sum up to `sum` when every sign is as likely as the other.
double exact_chance(const std::vector<std::int64_t>& ranks, std::int64_t sum) {
  const auto all = static_cast<std::size_t>(std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0}));
  std::vector<double> ways(all + 1, 0);
  ways[0] = 1;
  for (const std::int64_t rank : ranks)
    for (std::size_t at = all; at >= static_cast<std::size_t>(rank); --at)
      ways[at] += ways[at - static_cast<std::size_t>(rank)];
  const auto end = ways.begin() + static_cast<std::ptrdiff_t>(sum) + 1;
  return std::ldexp(std::accumulate(ways.begin(), end, 0.0), -static_cast<int>(ranks.size()));
}

double normal_chance(double statistic, double pairs, double ties) {
  const double mean = pairs * (pairs + 1) / 4;
  const double variance = pairs * (pairs + 1) * (2 * pairs + 1) / 24 - ties / 48;
  return std::erfc(std::abs(statistic - mean) / std::sqrt(2 * variance));
}

}  // namespace

std::optional<SignedRank> signed_rank(std::span<const double> differences) {
  std::vector<double> sorted;
  std::copy_if(differences.begin(), differences.end(), std::back_inserter(sorted),
               [](double difference) { return std::abs(difference) > kEqualDifferences; });
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const Ranks ranks = ranks_of(sorted);
  std::int64_t above = 0, all = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    all += ranks.twice[i];
    if (sorted[i] > 0) above += ranks.twice[i];
  }
  const std::int64_t smaller = std::min(above, all - above);
  SignedRank found{.pairs = std::ssize(sorted),
                   .statistic = static_cast<double>(smaller) / 2,
                   .exact = sorted.size() <= kExactPairs};
  found.p = found.exact ? std::min(1.0, 2 * exact_chance(ranks.twice, smaller))
                        : normal_chance(found.statistic, static_cast<double>(sorted.size()), ranks.ties);
  return found;
}

std::optional<SignedRank> signed_rank(std::span<const RankGroup> groups) {
  std::int64_t pairs = 0, above = 0, all = 0;
  double ties = 0;
  for (const RankGroup& group : groups) {
    const std::int64_t shared = group.below + group.above, twice = 2 * pairs + shared + 1;
    above += group.above * twice;
    all += shared * twice;
    pairs += shared;
    const auto count = static_cast<double>(shared);
    ties += count * count * count - count;
  }
  if (pairs == 0) return std::nullopt;
  SignedRank found{.pairs = pairs, .statistic = static_cast<double>(std::min(above, all - above)) / 2};
  found.p = normal_chance(found.statistic, static_cast<double>(pairs), ties);
  return found;
}

std::vector<double> holm(std::span<const double> chances) {
  std::vector<std::size_t> order(chances.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return chances[a] < chances[b]; });
  std::vector<double> corrected(chances.size());
  double highest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    highest = std::max(highest, std::min(1.0, static_cast<double>(order.size() - i) * chances[order[i]]));
    corrected[order[i]] = highest;
  }
  return corrected;
}

}  // namespace crema::study
