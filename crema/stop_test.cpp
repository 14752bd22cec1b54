// SPDX-License-Identifier: Apache-2.0
#include "crema/stop.h"

#include <atomic>

#include <gtest/gtest.h>

#include "crema/agreement/confidence/certify_map.h"
#include "crema/base/error.h"
#include "crema/counts/solvers.h"
#include "crema/phantom/phantom.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

Reduction counted(const Options& options = {}) {
  const Phantom phantom = make_phantom({.kind = PhantomKind::lesions, .size = {48, 48, 8}, .raters = 7});
  const std::vector<Mask> masks(phantom.masks.begin(), phantom.masks.end());
  return reduce(phantom.grid, take_votes(phantom.grid.voxels(), masks), Needs::neighbours, options);
}

/// Says stop when it is called for the n-th time.
std::function<bool()> after(int questions, std::atomic<int>& requested) {
  return [questions, &requested] { return ++requested > questions; };
}

TEST(Stop, NobodyWhoNeverStopsNoticesTheQuestion) {
  std::atomic<int> requested{0};
  Options options{.method = "soergel", .certify = Certify::yes};
  const Reduction reduction = counted();
  const Solution plain = solve(reduction, find_method("soergel"), options);
  options.stop = [&] { return ++requested < 0; };
  EXPECT_EQ(solve(reduction, find_method("soergel"), options).lmsd, plain.lmsd);
  EXPECT_GT(requested, 0);
}

TEST(Stop, EndsTheCountingOfVoxels) {
  EXPECT_THROW(counted({.stop = [] { return true; }}), Cancelled);
}

TEST(Stop, EndsEveryMethodBeforeItsResult) {
  const Reduction reduction = counted();
  for (const Method& method : methods()) {
    if (!takes_masks(method)) continue;
    EXPECT_THROW(solve(reduction, method, {.stop = [] { return true; }}), Cancelled) << method.name;
  }
}

TEST(Stop, EndsMethodsThatLookAtNeighboursOnTheirWay) {
  const Reduction reduction = counted();
  for (const char* const method : {"shape", "shape-soft", "local-staple"}) {
    std::atomic<int> requested{0};
    EXPECT_THROW(solve(reduction, find_method(method), {.stop = after(5, requested)}), Cancelled) << method;
  }
}

TEST(Stop, EndsAProofInTheMiddleOfAComponent) {
  const Reduction reduction = counted();
  std::atomic<int> requested{0};
  const SolveOptions endless{.budget = {.stop = after(3, requested)}};
  const Tally* largest = &reduction.crowns.front().tally;
  for (const Crowns& crowns : reduction.crowns)
    if (crowns.tally.rows.size() > largest->rows.size()) largest = &crowns.tally;
  const Levels full(largest->rows.size(), 1);
  const int unhurried = certify(*largest, Distance::dice, full, {}).nodes;
  EXPECT_LT(certify(*largest, Distance::dice, full, endless).nodes, unhurried);
}

TEST(Stop, LeavesNoHalfProvenCertificate) {
  const Reduction reduction = counted();
  std::atomic<int> requested{0};
  const std::vector<float> map(static_cast<std::size_t>(reduction.grid.voxels()), 0.0F);
  EXPECT_THROW(certify_map(reduction, map, Distance::jaccard, {.stop = after(5, requested)}), Cancelled);
}

TEST(Stop, EndsIteratingAfterTheFirstStep) {
  const Reduction reduction = counted();
  std::atomic<int> requested{0};
  EXPECT_THROW(solve(reduction, find_method("staple"), {.stop = after(0, requested)}), Cancelled);
  EXPECT_LE(requested, 2);
}

}  // namespace
}  // namespace crema
