// SPDX-License-Identifier: Apache-2.0
#include "crema/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace crema {
namespace {

TEST(Parallel, PiecesCoverTheRangeOnceWhateverTheThreads) {
  for (const int threads : {1, 4}) {
    std::vector<std::atomic<int>> met(1003);
    with_threads(threads, [&] {
      EXPECT_EQ(available_threads(), threads);
      parallel_pieces(1003, 100, [&](std::int64_t begin, std::int64_t end) {
        EXPECT_EQ(begin % 100, 0);
        for (std::int64_t i = begin; i < end; ++i) ++met[static_cast<std::size_t>(i)];
      });
    });
    for (const auto& count : met) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, AnErrorInALoopReachesTheCaller) {
  EXPECT_THROW(with_threads(3,
                            [] {
                              parallel_for(50, [](std::int64_t i) {
                                if (i == 17) throw std::runtime_error("17");
                              });
                            }),
               std::runtime_error);
}

void fork_and_join(int times) {
  for (int i = 0; i < times; ++i) with_threads(0, [] { parallel_for(8, [](std::int64_t) {}); });
}

/// Processor time of 500 small loops, each on threads of its own: the least of several, as waiting for a
/// thread that the system has put aside costs time, too.
double least_time() {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    const std::clock_t start = std::clock();
    fork_and_join(500);
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

TEST(Parallel, TheTenThousandthCallTakesNoLongerThanTheFirst) {
  const double first = least_time();
  fork_and_join(8000);
  const double most = 4 * first + 0.1;
  double later = least_time();
  for (int i = 0; i < 10 && later >= most; ++i) later = least_time();  // once slow, it stays so
  EXPECT_LT(later, most);                                              // it was a second
}

TEST(Parallel, ThreadsWithinThreadsAreAsManyAsRequested) {
  with_threads(3, [] {
    for (const int threads : {3, 2, 1})
      with_threads(threads, [&] { EXPECT_EQ(available_threads(), threads); });
  });
}

TEST(Parallel, NothingToDoIsFine) {
  parallel_pieces(0, 10, [](std::int64_t, std::int64_t) { FAIL(); });
}

}  // namespace
}  // namespace crema
