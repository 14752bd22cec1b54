// SPDX-License-Identifier: Apache-2.0
#include "crema/levels/pointwise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "crema/base/parallel.h"
#include "crema/image/large_pages.h"
#include "crema/levels/block_sums.h"
#include "crema/levels/level_sums.h"

namespace crema {
namespace {

/// f(levels of the raters in a voxel) for all voxels of a part.
template <class F>
std::vector<double> map_voxels(const LevelPart& part, const std::vector<int>& raters, const F& f) {
  std::vector<double> x = large_vector<double>(part.voxels);
  parallel_pieces(part.voxels, kSumBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> levels(raters.size());
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
      for (std::size_t k = 0; k < raters.size(); ++k) levels[k] = static_cast<double>(part.of(raters[k])[v]);
      x[v] = f(levels);
    }
  });
  return x;
}

std::vector<int> everyone(const LevelMaps& maps) {
  std::vector<int> raters(static_cast<std::size_t>(maps.raters));
  std::iota(raters.begin(), raters.end(), 0);
  return raters;
}

template <class F>
LevelField map_parts(const LevelMaps& maps, const F& of_part) {
  LevelField field;
  for (const LevelPart& part : maps.parts) field.parts.push_back(of_part(part));
  field.parts.push_back(of_part(maps.rest));
  return field;
}

/// Σ w f(level) / Σ w.
template <class F>
double weighted_mean(const std::vector<double>& levels, const std::vector<double>& weights, const F& f) {
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const double weight = weights.empty() ? 1 : weights[k];
    sum += weight * f(levels[k]);
    all += weight;
  }
  return sum / all;
}

double median(std::vector<double>& levels) {
  const auto middle = levels.begin() + std::ssize(levels) / 2;
  std::nth_element(levels.begin(), middle, levels.end());
  if (levels.size() % 2 == 1) return *middle;
  return (*std::max_element(levels.begin(), middle) + *middle) / 2;
}

}  // namespace

double logit_of(double level) {
  const double p = std::clamp(level, kLogitClip, 1 - kLogitClip);
  return std::log(p / (1 - p));
}

std::vector<double> median_of(const LevelPart& part, const std::vector<int>& raters) {
  return map_voxels(part, raters, median);
}

std::vector<double> majority_of(const LevelPart& part, const std::vector<int>& raters,
                                const std::vector<double>& weights, Tie tie) {
  std::vector<double> own;
  for (const int k : raters) own.push_back(weight_of(weights, k));
  const double half = std::accumulate(own.begin(), own.end(), 0.0) / 2;
  return map_voxels(part, raters, [&](const std::vector<double>& levels) {
    double marked = 0;
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (levels[k] > kCoreLevel) marked += own[k];
    return marked > half || (marked == half && tie == Tie::foreground && marked > 0) ? 1.0 : 0.0;
  });
}

LevelField average_levels(const LevelMaps& maps, const SolveOptions& options) {
  const auto same = [](double level) { return level; };
  return map_parts(maps, [&](const LevelPart& part) {
    return map_voxels(part, everyone(maps), [&](const std::vector<double>& levels) {
      return weighted_mean(levels, options.weights, same);
    });
  });
}

LevelField median_levels(const LevelMaps& maps, const SolveOptions& /*options*/) {
  return map_parts(maps, [&](const LevelPart& part) { return median_of(part, everyone(maps)); });
}

LevelField average_logits(const LevelMaps& maps, const SolveOptions& options) {
  return map_parts(maps, [&](const LevelPart& part) {
    return map_voxels(part, everyone(maps), [&](const std::vector<double>& levels) {
      return 1 / (1 + std::exp(-weighted_mean(levels, options.weights, logit_of)));
    });
  });
}

LevelField majority_of_levels(const LevelMaps& maps, const SolveOptions& options) {
  return map_parts(maps, [&](const LevelPart& part) {
    return majority_of(part, everyone(maps), options.weights, options.tie);
  });
}

}  // namespace crema
