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

/// Per voxel of the part, 0 or 1.
using LevelMask = std::vector<float>;

struct Ballot {
  LevelMask x;
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

  [[nodiscard]] Ballot count(LevelMask x) const {
    Ballot ballot{.x = std::move(x), .sums = {}};
    ballot.sums = sum_levels(component_.part, component_.raters, std::span<const float>(ballot.x), distance_);
    ballot.criterion = criterion(ballot.sums, distance_, options_.weights);
    return ballot;
  }

  /// Votes with the votes of the mask itself until that is no better, then takes the best of all masks that
  /// are votes with the same weights, whatever their price. What another start led through is not followed
  /// again.
  [[nodiscard]] Ballot follow(Ballot best) {
    for (int round = 0; round < kMaxRounds && best.sums.total > 0; ++round) {
      std::vector<double> scores = scores_of(best);
      Ballot next = count(above(scores, 1));
      if (!(next.criterion < best.criterion)) {
        if (was_settled(best.x)) return best;
        next = {};
        next = count(at_best_price(std::move(scores), best));
      }
      if (!(next.criterion < best.criterion) || stopped(options_.budget.stop)) return best;
      best = std::move(next);
    }
    return best;
  }

 private:
  /// Whether the mask is known; it is from now on.
  [[nodiscard]] bool was_settled(const LevelMask& x) {
    std::vector<bool> mask(x.size());
    std::transform(x.begin(), x.end(), mask.begin(), [](float level) { return level > 0; });
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

  [[nodiscard]] static LevelMask above(const std::vector<double>& scores, double price) {
    LevelMask x(scores.size());
    std::transform(scores.begin(), scores.end(), x.begin(),
                   [&](double s) { return s > price ? 1.0F : 0.0F; });
    return x;
  }

  /// The vote at the price at which the criterion is least, by going through the voxels from the highest
  /// score down.
  [[nodiscard]] LevelMask at_best_price(std::vector<double> scores, const Ballot& ballot) const {
    std::vector<std::pair<double, std::uint32_t>> order;  // scores negated: the highest first
    order.reserve(scores.size());
    for (const double score : scores) order.emplace_back(-score, static_cast<std::uint32_t>(order.size()));
    scores = {};
    std::sort(order.begin(), order.end());
    Sums sums{.overlap = std::vector<double>(ballot.sums.size.size(), 0), .size = ballot.sums.size};
    double least = ballot.criterion, price = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t v = order[i].second;
      sums.total += 1;
      for (const int k : raters_)
        sums.overlap[static_cast<std::size_t>(k)] += static_cast<double>(component_.part.of(k)[v]);
      const double next = i + 1 < order.size() ? -order[i + 1].first : -1;
      if (next == -order[i].first) continue;
      if (const double now = criterion(sums, distance_, options_.weights); now < least) {
        least = now;
        price = next;
      }
    }
    LevelMask x(order.size(), 0);
    for (const auto& [negated, voxel] : order)
      if (-negated > price) x[voxel] = 1;
    return x;
  }

  const LevelComponent& component_;
  Distance distance_;
  const SolveOptions& options_;
  std::vector<int> raters_;
  std::vector<std::vector<bool>> settled_;  ///< masks that are the vote of their own votes
};

/// In where a level is above ½.
LevelMask mask_of(const std::vector<double>& x) {
  LevelMask mask(x.size());
  std::transform(x.begin(), x.end(), mask.begin(), [](double level) { return level > 0.5 ? 1.0F : 0.0F; });
  return mask;
}

/// Masks to begin from, each made when it is its turn.
constexpr int kStarts = 3;

LevelMask start_of(int number, const LevelComponent& component, const Distance& distance,
                   const SolveOptions& options) {
  SolveOptions keep = options;
  keep.empty_test = EmptyTest::skip;
  keep.blocks = Blocks::subcrown;
  if (number == 0)
    return mask_of(
        spread_core(component, solve_distance(component.crowns.tally, distance, keep).levels, distance));
  const auto raters = list_present(component.part.present, component.raters, options.weights);
  return mask_of(number == 1 ? majority_of(component.part, raters, options.weights, options.tie)
                             : approach_layers(component, soft_twin_of(distance), keep));
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
  Ballot best = vote.count(LevelMask(static_cast<std::size_t>(component.part.voxels), 0));
  bool found = false;
  for (int number = 0; number < kStarts; ++number) {
    Ballot next = vote.follow(vote.count(start_of(number, component, distance, options)));
    if (next.sums.total == 0 || (found && !(next.criterion < best.criterion))) continue;
    best = std::move(next);
    found = true;
  }
  if (options.empty_test == EmptyTest::apply && empty_is_better(empty, best.criterion, options.tie))
    best = vote.count(LevelMask(best.x.size(), 0));
  const auto votes = votes_at(best.sums, component.part.present, distance, options.weights);
  return {.x = {best.x.begin(), best.x.end()}, .criterion = best.criterion, .votes = votes};
}

}  // namespace crema
