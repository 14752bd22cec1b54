// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "crema/agreement/percentile.h"

namespace crema::cohort {
namespace {

constexpr int kDroppedBits = 42;  // of 52 behind the point

/// Grows with the value.
std::int64_t bucket_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  const std::int64_t ordered = bits >= 0 ? bits : bits ^ std::numeric_limits<std::int64_t>::max();
  return ordered >> kDroppedBits;
}

}  // namespace

void Values::put(double value) {
  Bucket& bucket = buckets_[bucket_of(value)];
  ++bucket.count;
  bucket.sum += value;
}

void Values::add(double value) {
  lowest_ = count_ == 0 ? value : std::min(lowest_, value);
  highest_ = count_ == 0 ? value : std::max(highest_, value);
  ++count_;
  sum_ += value;
  not_positive_ += value > 0 ? 0 : 1;
  if (buckets_.empty() && exact_.size() < kExact) {
    exact_.push_back(value);
    return;
  }
  for (const double before : exact_) put(before);
  exact_ = {};
  put(value);
}

std::vector<Values::Ranked> Values::ranked() const {
  std::vector<Ranked> all;
  std::int64_t end = 0;
  for (const auto& [key, bucket] : buckets_) {
    end += bucket.count;
    all.push_back({std::clamp(bucket.sum / static_cast<double>(bucket.count), lowest_, highest_), end});
  }
  return all;
}

double Values::at_rank(const std::vector<Ranked>& all, std::int64_t rank) const {
  if (rank == 0) return lowest_;
  if (rank >= count_ - 1) return highest_;
  return std::upper_bound(all.begin(), all.end(), rank,
                          [](std::int64_t wanted, const Ranked& one) { return wanted < one.end; })
      ->value;
}

double Values::quantile(const std::vector<Ranked>& all, double share) const {
  const double place = share * static_cast<double>(count_ - 1), below = std::floor(place);
  const auto rank = static_cast<std::int64_t>(below);
  const double low = at_rank(all, rank);
  return place == below ? low : low + (place - below) * (at_rank(all, rank + 1) - low);
}

double Values::quantile(double share) const {
  return buckets_.empty() ? percentile(exact_, share) : quantile(ranked(), share);
}

std::optional<double> Values::median() const {
  return count_ > 0 ? std::optional(quantile(0.5)) : std::nullopt;
}

OverCases Values::over_cases() const {
  if (count_ == 0) return {};
  return {count_, sum_ / static_cast<double>(count_), quantile(0.25), quantile(0.5), quantile(0.75)};
}

DrawnValues Values::drawn() const {
  DrawnValues drawn{count_, not_positive_, exact_};
  if (buckets_.empty()) return drawn;
  const std::vector<Ranked> all = ranked();
  for (std::size_t d = 0; d < kDrawn; ++d)
    drawn.values.push_back(quantile(all, static_cast<double>(d) / static_cast<double>(kDrawn - 1)));
  return drawn;
}

}  // namespace crema::cohort
