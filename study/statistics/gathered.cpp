// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/gathered.h"

#include <bit>
#include <cmath>

namespace crema::study {
namespace {

/// 97.5 % of the normal distribution lie below.
constexpr double kNormal = 1.959963984540054;
constexpr int kDropped = 42;  // of the 52 bits behind the point

}  // namespace

void GatheredMean::add(double value) {
  mean_.add(value);
  const auto count = static_cast<double>(mean_.count());
  const double from = value - centre_, share = from / count, term = from * share * (count - 1);
  centre_ += share;
  cubes_ += term * share * (count - 2) - 3 * share * squares_;
  squares_ += term;
  if (mean_.count() <= static_cast<std::int64_t>(kHeldCases))
    held_.push_back(value);
  else
    held_ = {};
}

std::optional<Interval> GatheredMean::interval() const {
  if (holds_all()) return bootstrap_mean(held_);
  const auto count = static_cast<double>(mean_.count());
  const double variance = squares_ / count, error = std::sqrt(variance / count);
  if (variance <= 0) return Interval{centre_, centre_};
  const double skewness = cubes_ / count / (variance * std::sqrt(variance));
  const double shift = skewness / (6 * std::sqrt(count)) * (kNormal * kNormal - 1);
  return Interval{centre_ + error * (shift - kNormal), centre_ + error * (shift + kNormal)};
}

void Gathered::add(double value) {
  if (mean_.holds_all() && mean_.held().size() == kHeldCases)
    for (const double before : mean_.held()) many_.add(before);
  mean_.add(value);
  if (!mean_.holds_all()) many_.add(value);
}

std::optional<Summary> Gathered::summary() const {
  if (mean_.holds_all()) return summary_of(mean_.held());
  return Summary{.cases = mean_.mean().count(),
                 .mean = *mean_.mean().value(),
                 .median = many_.quantile(0.5),
                 .low_quartile = many_.quantile(0.25),
                 .high_quartile = many_.quantile(0.75),
                 .deviation = mean_.mean().deviation(),
                 .interval = mean_.interval()};
}

void GatheredRanks::count(double difference) {
  if (std::abs(difference) <= kEqualDifferences) return;
  ++counts_[std::bit_cast<std::int64_t>(std::abs(difference)) >> kDropped][difference > 0 ? 1 : 0];
}

void GatheredRanks::add(double difference) {
  if (!many_ && held_.size() < kHeldCases) {
    held_.push_back(difference);
    return;
  }
  for (const double before : held_) count(before);
  held_ = {};
  many_ = true;
  count(difference);
}

std::optional<SignedRank> GatheredRanks::test() const {
  if (!many_) return signed_rank(held_);
  std::vector<RankGroup> groups;
  for (const auto& [size, signs] : counts_) groups.push_back({signs[0], signs[1]});
  return signed_rank(groups);
}

}  // namespace crema::study
