// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "crema/levels/block_sums.h"
#include "crema/levels/methods.h"
#include "crema/levels/pointwise.h"
#include "crema/levels/robust/student.h"

namespace crema {
namespace {

constexpr double kSettledLogit = 1e-6;  // no mean may still move by more
constexpr int kMaxIterations = 10'000;
/// So many plain updates choose the fixed point; leaps then go along the way there.
constexpr int kPlainIterations = 100;
/// Leaps may go round in circles, where plain updates do not: every second stretch of so many has none.
constexpr int kStretch = 1000;
/// Voxels that are left alone while they, and the raters' parameters since, have moved by less.
constexpr double kQuietLogit = kSettledLogit / 10;
constexpr std::int64_t kTilesPerPiece = 8;
constexpr double kMinShare = 0.01;  // of the median variance: else one rater takes everything
constexpr double kFloor = 1e-12;    // of a variance: where all raters say the same

/// Sums of squares as variances, none far below the others.
std::vector<double> variances_from(std::vector<double> sums, std::int64_t voxels) {
  for (double& sum : sums) sum /= std::max(1.0, static_cast<double>(voxels));
  std::vector<double> sorted = sums;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  const double median = sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  for (double& sum : sums) sum = std::max({sum, kMinShare * median, kFloor});
  return sums;
}

double prior_from(double sum, std::int64_t voxels) {
  return std::max(sum / std::max(1.0, static_cast<double>(voxels)), kFloor);
}

/// Biases, and logarithms of the variances.
std::vector<double> parameters_of(const LogitModel& model) {
  std::vector<double> all = model.bias;
  for (const double variance : model.variance) all.push_back(std::log(variance));
  all.push_back(std::log(model.prior));
  return all;
}

LogitModel model_of(const std::vector<double>& parameters) {
  const std::size_t raters = (parameters.size() - 1) / 2;
  LogitModel model{{parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(raters)}, {}, 1};
  for (std::size_t k = 0; k < raters; ++k) model.variance.push_back(std::exp(parameters[raters + k]));
  model.prior = std::exp(parameters.back());
  return model;
}

/// Biases and variances may creep for thousands of updates: every third is left out, by going on as far as
/// the last two say (SQUAREM).
class Leaps {
 public:
  void forget() {
    first_.clear();
    second_.clear();
    reach_ = kFirstReach;
  }

  void take(LogitModel& model) {
    std::vector<double> now = parameters_of(model);
    if (second_.empty()) {
      (first_.empty() ? first_ : second_) = std::move(now);
      return;
    }
    leap(now);
    if (!now.empty()) model = model_of(now);
    first_.clear();
    second_.clear();
  }

 private:
  static constexpr double kFirstReach = 4;

  /// Goes on from three sets of parameters in a row, at most `reach_` times as far as one update goes; none:
  /// there is nothing to gain, as where they stand still and single voxels move on.
  void leap(std::vector<double>& now) {
    double step = 0, bend = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double one = second_[i] - first_[i], two = now[i] - second_[i];
      step += one * one;
      bend += (two - one) * (two - one);
    }
    const double wanted = std::sqrt(step / std::max(bend, kFloor * kFloor)),
                 length = std::min(wanted, reach_);
    if (wanted > reach_) reach_ *= 4;
    if (length <= 1 || step <= kQuietLogit * kQuietLogit) return now.clear();
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double one = second_[i] - first_[i], two = now[i] - second_[i];
      now[i] = first_[i] + 2 * length * one + length * length * (two - one);
    }
  }

  std::vector<double> first_, second_;
  double reach_ = kFirstReach;
};

/// Logits of all raters on the whole support, and what is estimated of them.
class Logits {
 public:
  explicit Logits(const LevelMaps& maps)
      : raters_(static_cast<std::size_t>(maps.raters)), voxels_(maps.voxels()) {
    for (const LevelPart& part : maps.parts) parts_.push_back(&part);
    parts_.push_back(&maps.rest);
    y_.resize(raters_ * static_cast<std::size_t>(voxels_));
    const auto zero = static_cast<float>(logit_of(0));
    float* at = y_.data();
    for (const int k : by_content())
      for (const LevelPart* part : parts_) {
        const std::span<const float> levels = part->of(k);
        parallel_pieces(part->voxels, kSumBlock, [&](std::int64_t begin, std::int64_t end) {
          std::transform(levels.begin() + begin, levels.begin() + end, at + begin, [zero](float level) {
            return level == 0 ? zero : static_cast<float>(logit_of(static_cast<double>(level)));
          });
        });
        at += part->voxels;
      }
    start();
  }

  /// The updates, until no mean moves; returns by how much one still did.
  double run(const Stop& stop) {
    Leaps leaps;
    double moved = update();
    for (int i = 1; i < kMaxIterations && moved > kSettledLogit && !stopped(stop); ++i) {
      if (i % kStretch == 0) leaps.forget();
      if (i >= kPlainIterations && i / kStretch % 2 == 0) leaps.take(model_);
      moved = update();
    }
    return moved;
  }

  [[nodiscard]] LevelField levels() const {
    LevelField field;
    const double* mean = mean_.data();
    for (const LevelPart* part : parts_) {
      std::vector<double>& x = field.parts.emplace_back(static_cast<std::size_t>(part->voxels));
      parallel_pieces(part->voxels, kSumBlock, [&](std::int64_t begin, std::int64_t end) {
        std::transform(mean + begin, mean + end, x.begin() + begin,
                       [](double logit) { return 1 / (1 + std::exp(-logit)); });
      });
      mean += part->voxels;
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

  [[nodiscard]] const float* y(std::size_t k) const {
    return y_.data() + k * static_cast<std::size_t>(voxels_);
  }

  /// Plain means, no bias, and what is left as variance.
  void start() {
    mean_.assign(static_cast<std::size_t>(voxels_), 0);
    spread_.assign(static_cast<std::size_t>(voxels_), 0);
    model_.bias.assign(raters_, 0);
    tiles_.assign(static_cast<std::size_t>((voxels_ + kLogitTile - 1) / kLogitTile), {});
    sums_.assign(tiles_.size() * logit_sums(raters_), 0);
    auto sums = sum_in_blocks(voxels_, raters_ + 1, [&](std::int64_t begin, std::int64_t end, auto out) {
      for (std::size_t k = 0; k < raters_; ++k)
        for (auto n = static_cast<std::size_t>(begin); n < static_cast<std::size_t>(end); ++n)
          mean_[n] += static_cast<double>(y(k)[n]);
      for (auto n = static_cast<std::size_t>(begin); n < static_cast<std::size_t>(end); ++n)
        mean_[n] /= static_cast<double>(raters_);
      for (std::size_t k = 0; k < raters_; ++k)
        out[k] = sum_lanes(begin, end, [&](std::size_t n) {
          const double off = static_cast<double>(y(k)[n]) - mean_[n];
          return off * off;
        });
      out[raters_] = sum_lanes(begin, end, [&](std::size_t n) { return mean_[n] * mean_[n]; });
    });
    model_.prior = prior_from(sums.back(), voxels_);
    sums.pop_back();
    model_.variance = variances_from(std::move(sums), voxels_);
  }

  /// Means and spreads, then biases and variances with the weights that these give; returns by how much a
  /// mean moved at most. One pass over the voxels, of which most stand still long before the last ones do.
  double update() {
    LogitField field{{}, mean_.data(), spread_.data()};
    for (std::size_t k = 0; k < raters_; ++k) field.logits.push_back(y(k));
    const std::size_t width = logit_sums(raters_);
    go_on();
    parallel_pieces(std::ssize(tiles_), kTilesPerPiece, [&](std::int64_t first, std::int64_t last) {
      for (auto t = static_cast<std::size_t>(first); t < static_cast<std::size_t>(last); ++t) {
        TileState& tile = tiles_[t];
        if (tile.moved <= kQuietLogit && way_ - tile.seen <= kQuietLogit) continue;
        const std::int64_t begin = static_cast<std::int64_t>(t) * kLogitTile;
        tile.moved = update_voxels(model_, field, begin, std::min(voxels_, begin + kLogitTile),
                                   std::span(sums_).subspan(t * width, width));
        tile.seen = way_;
      }
    });
    std::vector<double> sums(width, 0);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums[i % width] += sums_[i];
    if (!tiles_.empty()) estimate(sums);
    double moved = 0;
    for (const TileState& tile : tiles_) moved = std::max(moved, tile.moved);
    return moved;
  }

  /// Adds to the way of the parameters how far they are from where they were last.
  void go_on() {
    const std::vector<double> now = parameters_of(model_);
    double step = 0;
    for (std::size_t i = 0; i < last_.size(); ++i) step = std::max(step, std::abs(now[i] - last_[i]));
    way_ += step;
    last_ = now;
  }

  /// Errors under the new bias b + d follow from Σ w·(off − d)² = Σ w·off² − 2d·Σ w·off + d²·Σ w.
  void estimate(const std::vector<double>& sums) {
    std::vector<double> shift(raters_), squares(raters_);
    double mean = 0;
    for (std::size_t k = 0; k < raters_; ++k) {
      shift[k] = sums[3 * k + 1] / sums[3 * k];
      mean += (model_.bias[k] + shift[k]) / static_cast<double>(raters_);
    }
    for (std::size_t k = 0; k < raters_; ++k) {
      const double d = shift[k] - mean;
      model_.bias[k] += d;
      squares[k] = model_.variance[k] * (sums[3 * k + 2] - 2 * d * sums[3 * k + 1] + d * d * sums[3 * k]);
    }
    model_.variance = variances_from(std::move(squares), voxels_);
    model_.prior = prior_from(sums.back(), voxels_);
  }

  std::vector<const LevelPart*> parts_;
  std::size_t raters_;
  std::int64_t voxels_;
  std::vector<float> y_;  ///< rater by rater
  std::vector<double> mean_, spread_;
  LogitModel model_;

  struct TileState {
    double moved = std::numeric_limits<double>::infinity();  ///< by how much a mean did in its last update
    double seen = 0;                                         ///< the way of the parameters until then
  };
  std::vector<TileState> tiles_;
  std::vector<double> sums_;  ///< of each tile
  std::vector<double> last_;
  double way_ = 0;
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
