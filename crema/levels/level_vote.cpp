// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/level_vote.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "crema/base/parallel.h"
#include "crema/levels/block_sums.h"
#include "crema/levels/layers.h"
#include "crema/levels/level_sums.h"
#include "crema/levels/pointwise.h"
#include "crema/levels/products.h"

namespace crema {
namespace {

constexpr int kMaxRounds = 100;

struct Ballot {
  std::vector<double> x;
  Sums sums;
  double criterion = 0;
};

class LevelVote {
 public:
  LevelVote(const LevelComponent& component, const Distance& distance, const SolveOptions& options)
      : component_(component),
        distance_(distance),
        options_(options),
        raters_(list_present(component.part.present, component.raters, options.weights)) {}

  [[nodiscard]] Ballot count(std::vector<double> x) const {
    Ballot ballot{.x = std::move(x), .sums = {}};
    ballot.sums = sum_levels(component_.part, component_.raters, ballot.x, distance_);
    ballot.criterion = criterion(ballot.sums, distance_, options_.weights);
    return ballot;
  }

  /// Votes with the votes of the mask itself until that is no better, then takes the best of all masks that
  /// are votes with the same weights, whatever their price. What another start led through is not followed
  /// again.
  [[nodiscard]] Ballot follow(Ballot best) {
    for (int round = 0; round < kMaxRounds && best.sums.total > 0; ++round) {
      const std::vector<double> scores = scores_of(best);
      Ballot next = count(above(scores, 1));
      if (!(next.criterion < best.criterion)) {
        if (was_settled(best.x)) return best;
        next = count(above(scores, best_price(scores, best)));
      }
      if (!(next.criterion < best.criterion) || stopped(options_.budget.stop)) return best;
      best = std::move(next);
    }
    return best;
  }

 private:
  /// Whether the mask is known; it is from now on.
  [[nodiscard]] bool was_settled(const std::vector<double>& x) {
    std::vector<bool> mask(x.size());
    std::transform(x.begin(), x.end(), mask.begin(), [](double level) { return level > 0; });
    if (std::find(settled_.begin(), settled_.end(), mask) != settled_.end()) return true;
    settled_.push_back(std::move(mask));
    return false;
  }

  [[nodiscard]] std::vector<double> scores_of(const Ballot& ballot) const {
    const auto votes = votes_at(ballot.sums, component_.part.present, distance_, options_.weights);
    WeightedLevels raters;
    for (const int k : raters_) {
      raters.level.push_back(component_.part.of(k).data());
      raters.weight.push_back(votes[static_cast<std::size_t>(k)]);
    }
    std::vector<double> scores(ballot.x.size());
    parallel_pieces(component_.part.voxels, kSumBlock, [&](std::int64_t begin, std::int64_t end) {
      sum_weighted(raters, begin, end, scores.data() + begin);
    });
    return scores;
  }

  [[nodiscard]] static std::vector<double> above(const std::vector<double>& scores, double price) {
    std::vector<double> x(scores.size());
    std::transform(scores.begin(), scores.end(), x.begin(), [&](double s) { return s > price ? 1.0 : 0.0; });
    return x;
  }

  /// The price at which the criterion is least, by going through the voxels from the highest score down.
  [[nodiscard]] double best_price(const std::vector<double>& scores, const Ballot& ballot) const {
    std::vector<std::pair<double, std::uint32_t>> order;  // scores negated: the highest first
    order.reserve(scores.size());
    for (const double score : scores) order.emplace_back(-score, static_cast<std::uint32_t>(order.size()));
    std::sort(order.begin(), order.end());
    Sums sums{.overlap = std::vector<double>(ballot.sums.size.size(), 0), .size = ballot.sums.size};
    double least = ballot.criterion, price = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t v = order[i].second;
      sums.total += 1;
      for (const int k : raters_)
        sums.overlap[static_cast<std::size_t>(k)] += static_cast<double>(component_.part.of(k)[v]);
      const double next = i + 1 < order.size() ? scores[order[i + 1].second] : -1;
      if (next == scores[v]) continue;
      if (const double now = criterion(sums, distance_, options_.weights); now < least) {
        least = now;
        price = next;
      }
    }
    return price;
  }

  const LevelComponent& component_;
  Distance distance_;
  const SolveOptions& options_;
  std::vector<int> raters_;
  std::vector<std::vector<bool>> settled_;  ///< masks that are the vote of their own votes
};

std::vector<double> cut_at_half(std::vector<double> x) {
  for (double& level : x) level = level > 0.5 ? 1 : 0;
  return x;
}

/// Masks to begin from.
std::vector<std::vector<double>> starts_of(const LevelComponent& component, const Distance& distance,
                                           const SolveOptions& options) {
  SolveOptions keep = options;
  keep.empty_test = EmptyTest::skip;
  keep.blocks = Blocks::subcrown;
  const auto raters = list_present(component.part.present, component.raters, options.weights);
  return {spread_core(component, solve_distance(component.crowns.tally, distance, keep).levels, distance),
          majority_of(component.part, raters, options.weights, options.tie),
          cut_at_half(solve_layers(component, soft_twin_of(distance), keep).x)};
}

}  // namespace

std::vector<double> spread_core(const LevelComponent& component, const Levels& levels, Distance distance) {
  std::vector<std::int64_t> left(levels.size());
  for (std::size_t r = 0; r < levels.size(); ++r)
    left[r] = std::llround(levels[r] * static_cast<double>(component.crowns.tally.rows[r].voxels));
  std::vector<double> x(static_cast<std::size_t>(component.part.voxels), 0);
  auto core = component.core.begin();
  std::size_t voxel = 0, at = 0;
  for (const Run& run : component.part.runs)
    for (std::int64_t v = run.first; v < run.first + run.length; ++v, ++voxel) {
      while (core != component.core.end() && core->first + core->length <= v) ++core;
      if (core == component.core.end() || v < core->first) continue;
      const std::uint32_t row = component.crowns.row_of_voxel[at++];
      if (!is_hard(distance))
        x[voxel] = levels[row];
      else if (left[row]-- > 0)
        x[voxel] = 1;
    }
  return x;
}

LevelAnswer solve_level_vote(const LevelComponent& component, const Distance& distance,
                             const SolveOptions& options) {
  LevelVote vote(component, distance, options);
  const double empty = empty_criterion(component.part.present, component.raters, options.weights);
  Ballot best = vote.count(std::vector<double>(static_cast<std::size_t>(component.part.voxels), 0));
  bool found = false;
  for (std::vector<double>& start : starts_of(component, distance, options)) {
    Ballot next = vote.follow(vote.count(std::move(start)));
    if (next.sums.total == 0 || (found && !(next.criterion < best.criterion))) continue;
    best = std::move(next);
    found = true;
  }
  if (options.empty_test == EmptyTest::apply && empty_is_better(empty, best.criterion, options.tie))
    best = vote.count(std::vector<double>(best.x.size(), 0));
  const auto votes = votes_at(best.sums, component.part.present, distance, options.weights);
  return {.x = std::move(best.x), .criterion = best.criterion, .votes = votes};
}

}  // namespace crema
