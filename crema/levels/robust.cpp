// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "crema/levels/block_sums.h"
#include "crema/levels/methods.h"
#include "crema/levels/pointwise.h"

namespace crema {
namespace {

constexpr double kFreedom = 4;          // ν
constexpr double kSettledLogit = 1e-6;  // no mean may still move by more
constexpr int kMaxIterations = 10'000;
/// So many plain updates choose the fixed point; leaps then go along the way there.
constexpr int kPlainIterations = 100;
/// Leaps may go round in circles, where plain updates do not: every second stretch of so many has none.
constexpr int kStretch = 1000;
constexpr double kMinShare = 0.01;  // of the median variance: else one rater takes everything

/// Logits of all raters on the whole support, and what is estimated of them.
class Logits {
 public:
  explicit Logits(const LevelMaps& maps) : raters_(static_cast<std::size_t>(maps.raters)) {
    for (const LevelPart& part : maps.parts) parts_.push_back(&part);
    parts_.push_back(&maps.rest);
    voxels_ = static_cast<std::size_t>(maps.voxels());
    y_.resize(raters_ * voxels_);
    std::size_t at = 0;
    for (const int k : by_content())
      for (const LevelPart* part : parts_)
        for (const float level : part->of(k))
          y_[at++] = static_cast<float>(logit_of(static_cast<double>(level)));
    start();
  }

  /// The updates, until no mean moves; returns by how much one still did. Biases and variances may creep for
  /// thousands of updates: every third is then left out, by going on as far as the last two say (SQUAREM).
  double run(const Stop& stop) {
    double moved = step();
    std::vector<double> first, second;
    double reach = kFirstReach;
    for (int i = 1; i < kMaxIterations && moved > kSettledLogit && !stopped(stop); ++i) {
      estimate();
      if (i % kStretch == 0) {
        first.clear();
        second.clear();
        reach = kFirstReach;
      }
      if (i >= kPlainIterations && i / kStretch % 2 == 0) {
        std::vector<double> now = parameters();
        if (second.empty()) {
          (first.empty() ? first : second) = std::move(now);
        } else {
          leap(first, second, now, reach);
          first.clear();
          second.clear();
        }
      }
      moved = step();
    }
    return moved;
  }

  [[nodiscard]] LevelField levels() const {
    LevelField field;
    std::size_t at = 0;
    for (const LevelPart* part : parts_) {
      field.parts.emplace_back();
      for (std::int64_t v = 0; v < part->voxels; ++v)
        field.parts.back().push_back(1 / (1 + std::exp(-mean_[at++])));
    }
    return field;
  }

 private:
  /// The raters in an order that does not depend on how they are listed: updates that creep for long would
  /// make of the last bit of a sum the fourth digit of a level.
  [[nodiscard]] std::vector<int> by_content() const {
    std::vector<int> order(raters_);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      for (const LevelPart* part : parts_) {
        const auto one = part->of(a), other = part->of(b);
        const auto [i, j] = std::mismatch(one.begin(), one.end(), other.begin());
        if (i != one.end()) return *i < *j;
      }
      return false;
    });
    return order;
  }

  [[nodiscard]] double y(std::size_t k, std::size_t n) const {
    return static_cast<double>(y_[k * voxels_ + n]);
  }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(voxels_); }

  /// E τ of a value that is so far off, squared.
  [[nodiscard]] double trust(std::size_t k, double e) const {
    return ((kFreedom + 1) / 2) / (kFreedom / 2 + e / (2 * variance_[k]));
  }
  [[nodiscard]] double error(std::size_t k, std::size_t n) const {
    const double off = y(k, n) - mean_[n] - bias_[k];
    return off * off + spread_[n];
  }

  /// Plain means, no bias, and what is left as variance.
  void start() {
    mean_.assign(voxels_, 0);
    spread_.assign(voxels_, 0);
    bias_.assign(raters_, 0);
    variance_.assign(raters_, 1);
    for (std::size_t n = 0; n < voxels_; ++n) {
      for (std::size_t k = 0; k < raters_; ++k) mean_[n] += y(k, n);
      mean_[n] /= static_cast<double>(raters_);
    }
    const auto sums =
        sum_in_blocks(count(), raters_ + 1, [&](std::int64_t begin, std::int64_t end, auto out) {
          for (std::size_t k = 0; k < raters_; ++k)
            out[k] = sum_lanes(begin, end, [&](std::size_t n) { return error(k, n); });
          out[raters_] = sum_lanes(begin, end, [&](std::size_t n) { return mean_[n] * mean_[n]; });
        });
    take_variances({sums.begin(), sums.end() - 1});
    prior_ = std::max(sums[raters_] / std::max(1.0, static_cast<double>(voxels_)), kFloor);
  }

  /// Means and spreads of all voxels; returns by how much a mean moved at most.
  double step() {
    std::vector<double> moved(static_cast<std::size_t>((count() + kSumBlock - 1) / kSumBlock), 0);
    parallel_for(std::ssize(moved), [&](std::int64_t b) {
      const auto end = static_cast<std::size_t>(std::min(count(), (b + 1) * kSumBlock));
      for (auto n = static_cast<std::size_t>(b * kSumBlock); n < end; ++n)
        moved[static_cast<std::size_t>(b)] = std::max(moved[static_cast<std::size_t>(b)], move(n));
    });
    return moved.empty() ? 0 : *std::max_element(moved.begin(), moved.end());
  }

  double move(std::size_t n) {
    double precision = 1 / prior_, sum = 0;
    for (std::size_t k = 0; k < raters_; ++k) {
      const double weight = trust(k, error(k, n)) / variance_[k];
      precision += weight;
      sum += weight * (y(k, n) - bias_[k]);
    }
    const double before = mean_[n];
    spread_[n] = 1 / precision;
    mean_[n] = sum / precision;
    return std::abs(mean_[n] - before);
  }

  /// Biases, variances of the raters and of the truth.
  void estimate() {
    const auto biases =
        sum_in_blocks(count(), 2 * raters_, [&](std::int64_t begin, std::int64_t end, auto out) {
          for (std::size_t k = 0; k < raters_; ++k) {
            std::tie(out[2 * k], out[2 * k + 1]) = sum_pair_lanes(begin, end, [&](std::size_t n) {
              const double weight = trust(k, error(k, n));
              return std::pair(weight * (y(k, n) - mean_[n]), weight);
            });
          }
        });
    double mean = 0;
    for (std::size_t k = 0; k < raters_; ++k) {
      bias_[k] = biases[2 * k] / biases[2 * k + 1];
      mean += bias_[k] / static_cast<double>(raters_);
    }
    for (double& bias : bias_) bias -= mean;
    const auto sums =
        sum_in_blocks(count(), raters_ + 1, [&](std::int64_t begin, std::int64_t end, auto out) {
          for (std::size_t k = 0; k < raters_; ++k)
            out[k] = sum_lanes(begin, end, [&](std::size_t n) {
              const double e = error(k, n);
              return trust(k, e) * e;
            });
          out[raters_] =
              sum_lanes(begin, end, [&](std::size_t n) { return mean_[n] * mean_[n] + spread_[n]; });
        });
    take_variances({sums.begin(), sums.end() - 1});
    prior_ = std::max(sums[raters_] / static_cast<double>(voxels_), kFloor);
  }

  /// Biases, and logarithms of the variances.
  [[nodiscard]] std::vector<double> parameters() const {
    std::vector<double> all = bias_;
    for (const double variance : variance_) all.push_back(std::log(variance));
    all.push_back(std::log(prior_));
    return all;
  }

  /// Goes on from three sets of parameters in a row, at most `reach` times as far as one update goes.
  void leap(const std::vector<double>& first, const std::vector<double>& second,
            const std::vector<double>& third, double& reach) {
    double step = 0, bend = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const double one = second[i] - first[i], two = third[i] - second[i];
      step += one * one;
      bend += (two - one) * (two - one);
    }
    const double wanted = std::sqrt(step / std::max(bend, kFloor * kFloor)), length = std::min(wanted, reach);
    if (wanted > reach) reach *= 4;
    if (length <= 1) return;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const double one = second[i] - first[i], two = third[i] - second[i];
      const double value = first[i] + 2 * length * one + length * length * (two - one);
      if (i < raters_)
        bias_[i] = value;
      else if (i < 2 * raters_)
        variance_[i - raters_] = std::exp(value);
      else
        prior_ = std::exp(value);
    }
  }

  /// Sums of squares as variances, none far below the others.
  void take_variances(std::vector<double> sums) {
    for (double& sum : sums) sum /= std::max(1.0, static_cast<double>(voxels_));
    std::vector<double> sorted = sums;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    const double median = sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    for (std::size_t k = 0; k < raters_; ++k) variance_[k] = std::max({sums[k], kMinShare * median, kFloor});
  }

  static constexpr double kFirstReach = 4;
  static constexpr double kFloor = 1e-12;  // of a variance: where all raters say the same

  std::vector<const LevelPart*> parts_;
  std::size_t raters_, voxels_ = 0;
  std::vector<float> y_;  ///< rater by rater
  std::vector<double> mean_, spread_, bias_, variance_;
  double prior_ = 1;
};

}  // namespace

LevelField robust_levels(const LevelMaps& maps, const SolveOptions& options) {
  Logits logits(maps);
  const double moved = logits.run(options.budget.stop);
  LevelField field = logits.levels();
  if (moved > kSettledLogit)
    field.warnings.push_back(
        {fmt::format("no convergence after {} updates: a logit still moved by {:.2g}; the "
                     "last estimate is given.",
                     kMaxIterations, moved),
         WarningKind::not_converged});
  return field;
}

}  // namespace crema
