// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/zone_worth.h"

#include <gtest/gtest.h>

#include "crema/agreement/overlap.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

/// The tally in which each row is cut in two, what lies in the zone and what does not, so that levels can
/// differ between them.
struct CutTally {
  Tally tally;
  Levels levels;
};

CutTally cut(const Tally& tally, const Decision& decision, const Zone& zone, Raters drawn, double level) {
  CutTally result{{tally.raters, {}}, {}};
  std::vector<std::int64_t> inside(tally.rows.size(), 0);
  for (const ZoneRow& part : zone.rows) inside[part.row] = part.voxels;
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    Subcrown rest = tally.rows[r];
    rest.voxels -= inside[r];
    result.tally.rows.push_back(rest);
    result.levels.push_back(decision.levels[r]);
    result.tally.rows.push_back({0, drawn, drawn == 0 ? 0 : inside[r]});
    result.levels.push_back(level);
  }
  return result;
}

TEST(ZoneWorth, WithTheConsensusHeldIsTheCriterionOfThoseCounts) {
  int checked = 0;
  for (const std::string_view name : {"jaccard", "dice", "tanimoto", "dice1"})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto c = agreement_testing::make(seed, name);
      const Reduction& reduction = c.consensus.reduction;
      const Method& method = *c.consensus.solution.method;
      for (std::size_t i = 0; i < reduction.crowns.size(); ++i) {
        const Tally& tally = reduction.crowns[i].tally;
        const Decision& decision = c.consensus.solution.components[i];
        const ZoneEvaluator evaluator(tally, decision, method, c.options);
        for (const Zone& zone : find_zones(reduction, i).list) {
          const ZoneWorth held = evaluator.held(zone), solved = evaluator.solved(zone);
          const auto in = cut(tally, decision, zone, raters_present(tally), 1),
                     out = cut(tally, decision, zone, 0, 0);
          const auto value = [&](const CutTally& one) {
            return criterion(one.tally, one.levels, method.distance, c.options.weights);
          };
          ASSERT_NEAR(held.if_inside, value(in), 1e-9) << name << " " << seed;
          ASSERT_NEAR(held.if_outside, value(out), 1e-9) << name << " " << seed;
          ASSERT_LE(solved.if_inside, held.if_inside) << name << " " << seed;
          ASSERT_LE(solved.if_outside, held.if_outside) << name << " " << seed;
          ASSERT_GE(solved.fall, held.fall - 1e-12) << name << " " << seed;
          ++checked;
        }
      }
    }
  EXPECT_GT(checked, 150);
}

}  // namespace
}  // namespace crema
