// SPDX-License-Identifier: Apache-2.0
#include "raters/read/each_rater.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

/// What is thrown where raters 3 and 5 are faulty and rater 3 takes longer.
std::string thrown_with(int threads) {
  std::atomic<bool> later_failed{false};
  try {
    for_each_rater(8, {.threads = threads}, [&](std::size_t rater) {
      if (rater == 5) {
        later_failed = true;
        throw std::runtime_error("rater 5");
      }
      if (rater != 3) return;
      for (int n = 0; threads > 1 && n < 1'000'000 && !later_failed; ++n) {
      }
      throw std::runtime_error("rater 3");
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(EachRater, IsReadOnceWhateverTheThreads) {
  for (const int threads : {0, 1, 3, 64}) {
    std::vector<std::atomic<int>> reads(10);
    for_each_rater(reads.size(), {.threads = threads}, [&](std::size_t rater) { ++reads[rater]; });
    for (const auto& count : reads) EXPECT_EQ(count, 1) << threads;
  }
}

TEST(EachRater, TheFirstFaultyOneIsReportedWhoeverFailedFirst) {
  for (const int threads : {1, 2, 8}) EXPECT_EQ(thrown_with(threads), "rater 3") << threads;
}

TEST(EachRater, ProgressGrowsToOne) {
  std::vector<double> shares;
  for_each_rater(4, {.threads = 2, .progress = [&](double share) { shares.push_back(share); }},
                 [](std::size_t) {});
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(EachRater, AnErrorOfTheProgressEndsTheReading) {
  EXPECT_THROW(for_each_rater(4, {.threads = 2, .progress = [](double) { throw std::runtime_error("stop"); }},
                              [](std::size_t) {}),
               std::runtime_error);
}

}  // namespace
}  // namespace crema::raters
