// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/level_agreement.h"

#include <algorithm>
#include <cmath>

#include "crema/levels/block_sums.h"
#include "crema/levels/level_maps.h"
#include "crema/reduction.h"

namespace crema {
namespace {

constexpr std::size_t kBins = 10;
constexpr std::size_t kPerBin = 3;  // voxels, Σ level, Σ mask

/// What the overlap of two maps is made of.
enum Sum : std::size_t { kLower, kProduct, kFirst, kSecond, kFirstSquared, kSecondSquared, kSums };

/// Calls f(part) for each part of the support.
template <class F>
void for_each_part(const LevelMaps& maps, const F& f) {
  for (const LevelPart& part : maps.parts) f(part);
  f(maps.rest);
}

void add(std::vector<double>& all, const std::vector<double>& more) {
  all.resize(std::max(all.size(), more.size()), 0);
  for (std::size_t i = 0; i < more.size(); ++i) all[i] += more[i];
}

LevelOverlap overlap_of(std::span<const double> sums) {
  const double sizes = sums[kFirst] + sums[kSecond];
  if (sizes == 0) return {Undefined::both_empty, Undefined::both_empty};
  const double squares = sums[kFirstSquared] + sums[kSecondSquared];
  return {2 * sums[kLower] / sizes, sums[kProduct] / (squares - sums[kProduct])};
}

/// Adds one voxel of two maps.
void add_voxel(std::span<double> sums, double a, double b) {
  sums[kLower] += std::min(a, b);
  sums[kProduct] += a * b;
  sums[kFirst] += a;
  sums[kSecond] += b;
  sums[kFirstSquared] += a * a;
  sums[kSecondSquared] += b * b;
}

std::size_t bin_of(double level) {
  return std::min(kBins - 1, static_cast<std::size_t>(level * static_cast<double>(kBins)));
}

/// The consensus in the voxels of a part.
std::vector<float> values_in(const LevelPart& part, const Image& image) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(part.voxels));
  std::visit(
      [&](const auto& map) {
        for (const Run& run : part.runs)
          for (std::int64_t v = run.first; v < run.first + run.length; ++v)
            values.push_back(static_cast<float>(map[static_cast<std::size_t>(v)]));
      },
      image);
  return values;
}

/// Overlap, squared error and bins of one rater in one part.
std::vector<double> score_part(const LevelPart& part, int rater, std::span<const float> consensus) {
  const std::span<const float> own = part.of(rater);
  return sum_in_blocks(
      part.voxels, kSums + 1 + kBins * kPerBin,
      [&](std::int64_t begin, std::int64_t end, std::span<double> sums) {
        for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
          const auto level = static_cast<double>(own[v]);
          const double mask = consensus[v] > 0.5F ? 1 : 0;
          add_voxel(sums, level, static_cast<double>(consensus[v]));
          sums[kSums] += (level - mask) * (level - mask);
          const std::span<double> bin = sums.subspan(kSums + 1 + kPerBin * bin_of(level), kPerBin);
          bin[0] += 1;
          bin[1] += level;
          bin[2] += mask;
        }
      });
}

LevelScore score_of(std::span<const double> sums) {
  LevelScore score{.overlap = overlap_of(sums), .brier = Undefined::nobody_drew, .calibration_error = {}};
  score.calibration_error = Undefined::nobody_drew;
  double voxels = 0, error = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    const std::span<const double> bin = sums.subspan(kSums + 1 + kPerBin * b, kPerBin);
    voxels += bin[0];
    error += std::abs(bin[1] - bin[2]);
  }
  if (voxels == 0) return score;
  score.brier = sums[kSums] / voxels;
  score.calibration_error = error / voxels;
  return score;
}

}  // namespace

std::vector<LevelOverlap> compare_level_pairs(const Reduction& reduction) {
  std::vector<LevelOverlap> pairs;
  for (int a = 0; a < reduction.raters; ++a)
    for (int b = a + 1; b < reduction.raters; ++b) {
      std::vector<double> all(kSums, 0);
      for_each_part(*reduction.levels, [&](const LevelPart& part) {
        const auto first = part.of(a), second = part.of(b);
        add(all, sum_in_blocks(
                     part.voxels, kSums, [&](std::int64_t begin, std::int64_t end, std::span<double> sums) {
                       for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v)
                         add_voxel(sums, static_cast<double>(first[v]), static_cast<double>(second[v]));
                     }));
      });
      pairs.push_back(overlap_of(all));
    }
  return pairs;
}

std::vector<std::size_t> without_alike(const Reduction& reduction, std::vector<std::size_t> raters,
                                       double least) {
  if (!reduction.levels || raters.empty()) return raters;
  std::vector<bool> alike(static_cast<std::size_t>(reduction.raters), false);
  const std::vector<LevelOverlap> overlaps = compare_level_pairs(reduction);
  auto overlap = overlaps.begin();
  for (std::size_t a = 0; a < alike.size(); ++a)
    for (std::size_t b = a + 1; b < alike.size(); ++b, ++overlap)
      if (overlap->soft_dice.value_or(0) >= least) alike[a] = alike[b] = true;
  std::erase_if(raters, [&](std::size_t k) { return alike[k]; });
  return raters;
}

std::vector<LevelScore> score_levels(const Reduction& reduction, const Image& consensus) {
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(reduction.raters),
                                        std::vector<double>(kSums + 1 + kBins * kPerBin, 0));
  for_each_part(*reduction.levels, [&](const LevelPart& part) {
    const std::vector<float> values = values_in(part, consensus);
    for (int k = 0; k < reduction.raters; ++k)
      add(sums[static_cast<std::size_t>(k)], score_part(part, k, values));
  });
  std::vector<LevelScore> scores;
  for (const std::vector<double>& own : sums) scores.push_back(score_of(own));
  return scores;
}

}  // namespace crema
