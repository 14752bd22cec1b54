// SPDX-License-Identifier: Apache-2.0
#include "crema/base/parallel.h"

#include <atomic>
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

TEST(Parallel, NothingToDoIsFine) {
  parallel_pieces(0, 10, [](std::int64_t, std::int64_t) { FAIL(); });
}

}  // namespace
}  // namespace crema
