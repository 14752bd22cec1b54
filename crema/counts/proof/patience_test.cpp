// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/patience.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crema/counts/proof/bound.h"
#include "crema/counts/solvers.h"
#include "test/random_tally.h"

namespace crema {
namespace {

GapHistory falling(int nodes, double share_of_last) {
  GapHistory history;
  for (int n = 20; n <= nodes; n += 2) history.note(n, std::pow(share_of_last, n));
  return history;
}

TEST(Patience, IsAtAnEndWhereTheGapStandsStill) { EXPECT_TRUE(falling(200, 1).is_hopeless(100000, 0.5)); }

TEST(Patience, LooksAtTheLastHalfOfTheNodes) {
  GapHistory history;
  for (int n = 1; n <= 100; ++n) history.note(n, std::pow(0.9, n));
  const double stuck = std::pow(0.9, 100);
  for (int n = 101; n < 199; ++n) history.note(n, stuck);
  EXPECT_FALSE(history.is_hopeless(1000, stuck / 1e3));
  for (int n = 199; n < 210; ++n) history.note(n, stuck);
  EXPECT_TRUE(history.is_hopeless(1000, stuck / 1e3));
}

TEST(Patience, LastsAsLongAsATwelfthOfTheFallIsInReach) {
  // A hundredth of a logarithm per node, and 1000 nodes left.
  const GapHistory history = falling(200, std::exp(-0.01));
  const double now = std::exp(-2.0);
  EXPECT_FALSE(history.is_hopeless(1000, now * std::exp(-119.0)));
  EXPECT_TRUE(history.is_hopeless(1000, now * std::exp(-121.0)));
}

/// Groups of many raters at random: what proofs find hardest.
Tally many_groups(std::uint64_t seed) {
  random_case::Dice dice{seed};
  Tally tally{.raters = 30, .rows = {}};
  for (int i = 0; i < 120; ++i) {
    Raters raters = 0;
    for (int k = 0; k < 30; ++k) raters |= Raters{dice.roll(0, 9) < 2 ? 1U : 0U} << k;
    if (raters != 0) tally.rows.push_back({0, raters, dice.roll(1, 9)});
  }
  return merge_rows(tally).groups;
}

TEST(Patience, EndsAHopelessProofUnlessNodesAreGiven) {
  int given_up = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Tally groups = many_groups(seed);
    const Levels full(groups.rows.size(), 1);
    const Proof early = prove_groups(groups, Distance::jaccard, {}, {full}, 1e300, {}, Wanted::bound);
    EXPECT_LE(early.lower_bound, early.criterion);
    if (early.proven) continue;
    // As many nodes as that and one more are spent where they are given.
    const Budget more{.nodes = early.nodes + 1};
    const Proof late = prove_groups(groups, Distance::jaccard, {}, {full}, 1e300, more, Wanted::bound);
    EXPECT_GT(late.nodes, early.nodes);
    EXPECT_GE(late.lower_bound, early.lower_bound);
    ++given_up;
  }
  EXPECT_GT(given_up, 0);
}

TEST(Patience, LosesNoProof) {
  int proven = 0, searched = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    random_case::Dice dice{seed};
    const Tally tally = random_tally::make(dice, {.max_raters = 7, .max_rows = 40, .max_voxels = 400});
    const Levels full(tally.rows.size(), 1);
    for (const Distance distance : {Distance::jaccard, Distance::tanimoto, Distance::dice2}) {
      const Certificate patient = certify(tally, distance, full, {.budget = {.nodes = 2000}});
      if (!patient.proven) continue;
      EXPECT_TRUE(certify(tally, distance, full, {}).proven) << seed << " " << to_string(distance);
      ++proven;
      searched += patient.nodes > kPatientNodes ? 1 : 0;
    }
  }
  EXPECT_GT(proven, 300);
  EXPECT_GT(searched, 5);
}

}  // namespace
}  // namespace crema
