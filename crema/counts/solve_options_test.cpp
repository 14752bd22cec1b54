// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/solve_options.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

#include "crema/counts/solvers.h"
#include "test/random_case.h"

namespace crema {
namespace {

/// 64 raters at random: every row a group of its own, as in noise.
Tally noise(int rows) {
  random_case::Dice dice{64};
  Tally tally{.raters = 64, .rows = {}};
  for (int i = 0; i < rows; ++i) tally.rows.push_back({dice.roll(50, 80), dice.next(), 1});
  std::sort(tally.rows.begin(), tally.rows.end(), [](const Subcrown& a, const Subcrown& b) {
    return std::tie(a.distance, a.raters) < std::tie(b.distance, b.raters);
  });
  return tally;
}

/// Of this thread alone: neither other programs nor threads that earlier tests left spinning count.
double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
double seconds_of(F work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

/// What is done between two looks at the clock takes longer under the address sanitizer, and many times
/// longer under the thread sanitizer.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CREMA_WATCHES_ADDRESSES
#endif
#endif
#if defined(__SANITIZE_THREAD__)
constexpr double kSlowdown = 30;
#elif defined(CREMA_WATCHES_ADDRESSES)
constexpr double kSlowdown = 3;
#else
constexpr double kSlowdown = 1;
#endif

/// A tenth and 0.1 s more are promised.
constexpr double kBudget = 0.5, kAllowed = 1.1 * kBudget + 0.1 * kSlowdown;

TEST(Budget, OfSecondsHoldsForFindingAndProvingTogether) {
  const Tally tally = noise(20000);
  const SolveOptions options{.blocks = Blocks::group, .budget = {.seconds = kBudget}};
  for (const Solver solver : {solve_for<Distance::jaccard>, solve_for<Distance::soergel>,
                              solve_for<Distance::tanimoto>, solve_for<Distance::dice2>}) {
    Answer answer;
    EXPECT_LE(seconds_of([&] { answer = solver(tally, options); }), kAllowed);
    EXPECT_EQ(answer.levels.size(), tally.rows.size());
    ASSERT_TRUE(answer.certificate.has_value());
    EXPECT_GE(answer.certificate->lower_bound, 0);
  }
}

TEST(Budget, OfSecondsHoldsForACertificate) {
  const Tally tally = noise(20000);
  const Levels all(tally.rows.size(), 1);
  for (const Distance distance : {Distance::jaccard, Distance::tanimoto}) {
    Certificate certificate;
    EXPECT_LE(
        seconds_of([&] { certificate = certify(tally, distance, all, {.budget = {.seconds = kBudget}}); }),
        kAllowed);
    EXPECT_LE(certificate.lower_bound, criterion(tally, all, distance));
  }
}

TEST(Budget, ThatIsSpentAtOnceStillGivesATrueBound) {
  const Tally tally{.raters = 3,
                    .rows = {{0, 0b111, 9}, {1, 0b011, 4}, {1, 0b110, 5}, {2, 0b001, 6}, {2, 0b100, 3}}};
  for (const Distance distance : {Distance::jaccard, Distance::dice, Distance::soergel, Distance::tanimoto,
                                  Distance::dice1, Distance::dice2, Distance::tversky, Distance::tversky1}) {
    const SolveOptions none{.budget = {.stop = [] { return true; }}}, all{};
    const Certificate quick = certify(tally, distance, Levels(5, 1), none);
    EXPECT_FALSE(quick.proven);
    EXPECT_LE(quick.lower_bound, certify(tally, distance, Levels(5, 1), all).lower_bound + 1e-12);
    EXPECT_EQ(solve_groups(tally, distance, none).levels.size(), 5U);
  }
}

TEST(Budget, WithoutSecondsNeverEndsByTheClock) { EXPECT_FALSE(stopped(started({}).stop)); }

TEST(Greedy, TakesTimeInProportionToTheRows) {
  const Tally small = noise(10000), large = noise(80000);
  // The least of several: whoever shares the core makes any of them slower.
  const auto least = [](const Tally& tally) {
    double seconds = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i)
      seconds = std::min(seconds, seconds_of([&] { solve_for<Distance::jaccard>(tally, {}); }));
    return seconds;
  };
  EXPECT_LE(least(large), 4 * 8 * least(small));
}

}  // namespace
}  // namespace crema
