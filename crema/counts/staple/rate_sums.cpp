// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/staple/rate_sums.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/staple/exact_sum.h"

namespace crema {
namespace {

constexpr std::size_t kTogether = 4;

/// Divides a pair by its sum; nothing at all counts as all right.
void share(double right_sum, double wrong_sum, double& right, double& wrong) {
  const double all = right_sum + wrong_sum;
  right = all > 0 ? right_sum / all : 1;
  wrong = all > 0 ? wrong_sum / all : 0;
}

void take_logarithms(const std::vector<double>& values, std::vector<double>& logs) {
  logs.resize(values.size());
  std::transform(values.begin(), values.end(), logs.begin(), [](double x) { return std::log(x); });
}

/// Where a rater cannot have drawn what they did: terms that are infinite have no rounding errors.
Evidence infinite_evidence(Raters drawn, const Rates& logs) {
  ExactSum inside, outside;
  for (std::size_t k = 0; k < logs.hit.size(); ++k) {
    const bool drew = (drawn >> k & 1) != 0;
    inside.add(drew ? logs.hit[k] : logs.miss[k]);
    outside.add(drew ? logs.slip[k] : logs.pass[k]);
  }
  return {inside.value(), outside.value()};
}

}  // namespace

void RateSums::find_rates(const Groups& groups, const Levels& levels, Rates& rates) {
  const auto raters = static_cast<std::size_t>(groups.raters);
  for (std::vector<double>* one : {&rates.hit, &rates.miss, &rates.pass, &rates.slip}) one->resize(raters);
  fours_.assign((raters + kTogether - 1) / kTogether, {});
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    const auto voxels = static_cast<double>(groups.rows[r].voxels);
    const double inside = voxels * levels[r], outside = voxels * (1 - levels[r]);
    Raters drawn = groups.rows[r].raters;
    for (Four& four : fours_) {
      four[drawn % four.size()].add(inside, outside);
      drawn >>= kTogether;
    }
  }
  for (std::size_t k = raters; k-- > 0;) {
    // What the raters behind this one did is in the sums of those who did not draw.
    Four& four = fours_[k / kTogether];
    const std::size_t ways = std::size_t{1} << k % kTogether;
    Pair left = four[0], drew = four[ways];
    for (std::size_t w = 1; w < ways; ++w) {
      left.add(four[w]);
      drew.add(four[w + ways]);
    }
    for (std::size_t w = 0; w < ways; ++w) four[w].add(four[w + ways]);
    share(drew.inside(), left.inside(), rates.hit[k], rates.miss[k]);
    share(left.outside(), drew.outside(), rates.pass[k], rates.slip[k]);
  }
}

/// False where something cannot be, which takes sums of infinite terms.
bool RateSums::sum_evidence() {
  fours_.resize((logs_.hit.size() + kTogether - 1) / kTogether);
  for (Four& four : fours_) four.front() = {};
  for (std::size_t k = 0; k < logs_.hit.size(); ++k) {
    const double hit = logs_.hit[k], miss = logs_.miss[k], pass = logs_.pass[k], slip = logs_.slip[k];
    if (!std::isfinite(hit + miss + pass + slip)) return false;
    Four& four = fours_[k / kTogether];
    const std::size_t ways = std::size_t{1} << k % kTogether;  // of the raters before
    for (std::size_t w = 0; w < ways; ++w) {
      four[w + ways] = four[w];
      four[w + ways].add(hit, slip);
      four[w].add(miss, pass);
    }
  }
  return true;
}

void RateSums::find_evidence(const Groups& groups, const Rates& rates, std::vector<Evidence>& evidence) {
  evidence.resize(groups.rows.size());
  for (std::vector<double> Rates::*one : {&Rates::hit, &Rates::miss, &Rates::pass, &Rates::slip})
    take_logarithms(rates.*one, logs_.*one);
  const bool finite = sum_evidence();
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    Raters drawn = groups.rows[r].raters;
    if (!finite) {
      evidence[r] = infinite_evidence(drawn, logs_);
      continue;
    }
    Pair sum;
    for (const Four& four : fours_) {
      sum.add(four[drawn % four.size()]);
      drawn >>= kTogether;
    }
    evidence[r] = {sum.inside(), sum.outside()};
  }
}

}  // namespace crema
