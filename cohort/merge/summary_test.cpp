// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/summary.h"

#include <gtest/gtest.h>

#include "crema/base/json_parse.h"

namespace crema::cohort {
namespace {

/// One case whose raters have these overlaps with the consensus of jaccard.
std::vector<MethodMeasures> measures_with(const std::string& dices, const std::string& percent,
                                          const std::string& volume = "null") {
  const Json methods = parse_json(
      R"([["case","method","kept","soft_volume","volume_mm3","area_mm2","distance","lmsd_jaccard",)"
      R"("size_vs_majority_pct"],["c","jaccard",1,10,)" +
      volume + R"(,null,"jaccard",0.5,)" + percent + "]]");
  std::string raters = R"([["method","dice"])";
  for (std::size_t at = 0; at < dices.size();) {
    const std::size_t end = std::min(dices.find(' ', at), dices.size());
    raters += R"(,["jaccard",)" + dices.substr(at, end - at) + "]";
    at = end + 1;
  }
  return measures_in(methods, parse_json(raters + "]"));
}

TEST(CohortSummary, EveryCaseCountsOnceHoweverManyRatersItHas) {
  Summariser summariser;
  summariser.add(measures_with("1 1 1 1", "0"));
  summariser.add(measures_with("0.5", "0"));
  EXPECT_DOUBLE_EQ(summariser.summaries().front().dice.mean, 0.75);  // pooled it would be 0.9
}

TEST(CohortSummary, ARatioHasItsMedianAndQuartilesBesideTheMean) {
  Summariser summariser;
  for (const char* percent : {"1", "2", "3", "4", "20000"}) summariser.add(measures_with("1", percent));
  summariser.add(measures_with("1", "null"));
  const OverCases over = summariser.summaries().front().against_majority;
  EXPECT_EQ(over.cases, 5);
  EXPECT_DOUBLE_EQ(over.mean, 4002);
  EXPECT_DOUBLE_EQ(over.low, 2);
  EXPECT_DOUBLE_EQ(over.median, 3);
  EXPECT_DOUBLE_EQ(over.high, 4);
}

TEST(CohortSummary, SizesAreInVoxelsWhereOneCaseDoesNotStateTheirSize) {
  Summariser summariser;
  summariser.add(measures_with("1", "0", "30"));
  EXPECT_EQ(summariser.unit(), SizeUnit::cubic_mm);
  EXPECT_DOUBLE_EQ(summariser.summaries().front().size.mean, 30);
  summariser.add(measures_with("1", "0"));
  EXPECT_EQ(summariser.unit(), SizeUnit::voxels);
  EXPECT_DOUBLE_EQ(summariser.summaries().front().size.mean, 10);
}

}  // namespace
}  // namespace crema::cohort
