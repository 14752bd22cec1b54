// SPDX-License-Identifier: Apache-2.0
// Cohorts: raters who are the same persons in all cases.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/phantom/deformation.h"
#include "crema/phantom/hash.h"
#include "crema/phantom/phantom.h"

namespace crema {
namespace {

constexpr std::array kPanelKinds{PhantomKind::organ, PhantomKind::lesions, PhantomKind::cord,
                                 PhantomKind::spine};

double mask_volume(const HardImage& mask) {
  return static_cast<double>(std::count(mask.begin(), mask.end(), std::uint8_t{1}));
}

std::vector<Phantom> make_cohort(const PhantomOptions& options, int cases) {
  std::vector<Phantom> cohort;
  for (int number = 1; number <= cases; ++number)
    cohort.push_back(make_phantom(case_of_cohort(options, number)));
  return cohort;
}

/// Log volumes less the mean of their case: cases by raters.
std::vector<std::vector<double>> log_effects(const std::vector<Phantom>& cohort) {
  std::vector<std::vector<double>> effects;
  for (const Phantom& one : cohort) {
    std::vector<double> logs;
    for (const auto& mask : one.masks) logs.push_back(std::log(mask_volume(mask)));
    const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
    for (double& value : logs) value -= mean;
    effects.push_back(logs);
  }
  return effects;
}

/// Variance of the raters' means over cases, as a multiple of what it would be if raters were drawn anew in
/// each case.
double persistence(const std::vector<std::vector<double>>& effects) {
  const auto cases = static_cast<double>(effects.size());
  double of_means = 0, of_all = 0;
  for (std::size_t k = 0; k < effects.front().size(); ++k) {
    double sum = 0;
    for (const auto& one : effects) {
      sum += one[k];
      of_all += one[k] * one[k];
    }
    of_means += sum * sum / cases;
  }
  return of_means / (of_all / cases);
}

double correlation_of(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

TEST(PhantomPanel, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const PhantomKind kind : kPanelKinds) {
    const PhantomOptions options = case_of_cohort({.kind = kind, .seed = 3}, 2);
    Phantom one, three;
    with_threads(1, [&] { one = make_phantom(options); });
    with_threads(3, [&] { three = make_phantom(options); });
    EXPECT_EQ(one.masks, three.masks);
  }
}

TEST(PhantomPanel, MasksAreNeverEmptyNorTheWholeImage) {
  for (const PhantomKind kind : kPanelKinds)
    for (const std::array<std::int32_t, 3> size :
         {std::array{48, 40, 12}, std::array{8, 8, 1}, std::array{8, 8, 8}, std::array{17, 90, 2}})
      for (const Phantom& one : make_cohort({.kind = kind, .size = size, .raters = 4}, 3))
        for (const auto& mask : one.masks) {
          EXPECT_GT(mask_volume(mask), 0);
          EXPECT_LT(mask_volume(mask), static_cast<double>(one.grid.voxels()));
        }
}

TEST(PhantomPanel, AnOrganFillsAboutTwoPercentOfItsImage) {
  double share = 0;
  const std::vector<Phantom> cohort =
      make_cohort({.kind = PhantomKind::organ, .size = {40, 120, 120}, .raters = 1}, 12);
  for (const Phantom& one : cohort)
    share += mask_volume(one.masks[0]) / static_cast<double>(one.grid.voxels()) / 12;
  EXPECT_GT(share, 0.013);
  EXPECT_LT(share, 0.03);
}

TEST(PhantomPanel, SizesVaryFromCaseToCase) {
  for (const PhantomKind kind : kPanelKinds) {
    double least = 1e9, most = 0;
    for (const Phantom& one : make_cohort({.kind = kind, .size = {48, 64, 12}, .raters = 1}, 12)) {
      least = std::min(least, mask_volume(one.masks[0]));
      most = std::max(most, mask_volume(one.masks[0]));
    }
    EXPECT_GT(most, 1.5 * least) << static_cast<int>(kind);
  }
}

TEST(PhantomPanel, WhoDrawsLargeDoesSoInEveryCase) {
  for (const PhantomKind kind : {PhantomKind::organ, PhantomKind::cord, PhantomKind::spine}) {
    const PhantomOptions options{.kind = kind, .size = {48, 64, 12}, .raters = 6, .seed = 5};
    EXPECT_GT(persistence(log_effects(make_cohort(options, 12))), 3) << static_cast<int>(kind);
    // The same cases, each drawn by a panel of its own.
    std::vector<Phantom> strangers;
    for (int number = 1; number <= 12; ++number) {
      PhantomOptions one = case_of_cohort(options, number);
      one.panel = static_cast<std::uint64_t>(number);
      strangers.push_back(make_phantom(one));
    }
    EXPECT_LT(persistence(log_effects(strangers)), 3) << static_cast<int>(kind);
  }
}

/// First components of the fields of two raters, at places far apart, and a little beside them.
struct FieldSamples {
  std::vector<double> first, beside, second;
};

FieldSamples sample_fields(double shared) {
  FieldSamples fields;
  const Grid grid{.size = {200, 200, 200}};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const phantom::Panel panel{.key = 1, .shared = shared};
    const phantom::Deformation one(grid, {20, 20, 20}, panel, seed, 0),
        two(grid, {20, 20, 20}, panel, seed, 1);
    for (int i = 0; i < 4; ++i) {
      const phantom::Vector place{15.0 + 50 * i, 100, 77};
      fields.first.push_back(one.at(place)[0]);
      fields.beside.push_back(one.at({place[0] + 4, 100, 77})[0]);
      fields.second.push_back(two.at(place)[0]);
    }
  }
  return fields;
}

TEST(Deformation, IsSmoothInSpaceAndSharedByRatersAsFarAsRequested) {
  const FieldSamples apart = sample_fields(0), close = sample_fields(0.6);
  EXPECT_GT(correlation_of(apart.first, apart.beside), 0.9);
  EXPECT_LT(std::abs(correlation_of(apart.first, apart.second)), 0.2);
  EXPECT_NEAR(correlation_of(close.first, close.second), 0.6, 0.15);
  double square = 0;
  for (const double value : apart.first) square += value * value / static_cast<double>(apart.first.size());
  EXPECT_NEAR(std::sqrt(square), 1, 0.2);
}

TEST(Deformation, NormalNumbersHaveTheMomentsOfANormalDistribution) {
  double sum = 0, square = 0, fourth = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = phantom::normal(phantom::mix(static_cast<std::uint64_t>(i)));
    sum += value / kDraws;
    square += value * value / kDraws;
    fourth += value * value * value * value / kDraws;
  }
  EXPECT_NEAR(sum, 0, 0.03);
  EXPECT_NEAR(square, 1, 0.05);
  EXPECT_NEAR(fourth, 2.9, 0.25);  // 3 - 1.2/12: the sum of twelve
}

TEST(PhantomPanel, RefusesErrorsThatCannotBeShared) {
  EXPECT_THROW(make_phantom({.shared_errors = -0.1}), InputError);
  EXPECT_THROW(make_phantom({.shared_errors = 1.1}), InputError);
  EXPECT_THROW(make_phantom({.shared_errors = std::nan("")}), InputError);
}

}  // namespace
}  // namespace crema
