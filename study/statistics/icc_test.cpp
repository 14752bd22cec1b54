// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/icc.h"

#include <gtest/gtest.h>

namespace crema::study {
namespace {

/// Shrout and Fleiss, Psychological Bulletin 86(2), 1979, table 2: six targets, four judges.
const std::vector<CaseValues> kJudges{{9, 2, 5, 8}, {6, 1, 3, 2},  {8, 4, 6, 8},
                                      {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};

double value_of(const std::vector<CaseValues>& cases, IccForm form, IccUnit unit) {
  return icc(cases, form, unit)->value;
}

TEST(Icc, TheExampleOfShroutAndFleissGivesTheirNumbers) {
  EXPECT_NEAR(value_of(kJudges, IccForm::one_way, IccUnit::single), 0.1657418, 1e-7);
  EXPECT_NEAR(value_of(kJudges, IccForm::agreement, IccUnit::single), 0.2897638, 1e-7);
  EXPECT_NEAR(value_of(kJudges, IccForm::consistency, IccUnit::single), 0.7148407, 1e-7);
  EXPECT_NEAR(value_of(kJudges, IccForm::one_way, IccUnit::mean), 0.4427971, 1e-7);
  EXPECT_NEAR(value_of(kJudges, IccForm::agreement, IccUnit::mean), 0.6200505, 1e-7);
  EXPECT_NEAR(value_of(kJudges, IccForm::consistency, IccUnit::mean), 0.9093155, 1e-7);
}

TEST(Icc, IntervalsAreThoseOfTheField) {
  const auto expect = [](IccForm form, double low, double high) {
    const auto found = icc(kJudges, form, IccUnit::single);
    EXPECT_NEAR(*found->low, low, 1e-3);
    EXPECT_NEAR(*found->high, high, 1e-3);
  };
  expect(IccForm::one_way, -0.1329, 0.7226);
  expect(IccForm::agreement, 0.0188, 0.7611);
  expect(IccForm::consistency, 0.3425, 0.9459);
}

TEST(Icc, AConstantAddedToAllChangesNothing) {
  std::vector<CaseValues> far = kJudges;
  for (CaseValues& values : far)
    for (double& value : values) value += 1e9;
  for (const IccForm form : {IccForm::one_way, IccForm::agreement, IccForm::consistency})
    EXPECT_NEAR(value_of(kJudges, form, IccUnit::single), value_of(far, form, IccUnit::single), 1e-6);
}

TEST(Icc, CasesMayHaveDifferentNumbersOfRatersWhereRatersHaveNoIdentity) {
  const std::vector<CaseValues> uneven{{1, 2}, {5, 6, 7}, {9}, {3, 3}};
  const auto found = icc(uneven, IccForm::one_way, IccUnit::single);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->raters, (8 - 18.0 / 8) / 3, 1e-12);
  const double between = (4.5 + 108 + 81 + 18 - 36.0 * 36 / 8) / 3, within = 2.5 / 4;
  EXPECT_NEAR(found->value, (between - within) / (between + (found->raters - 1) * within), 1e-12);
}

TEST(Icc, RatersWhoAgreeHaveOneAndThoseWithoutCasesNone) {
  for (const IccForm form : {IccForm::one_way, IccForm::agreement, IccForm::consistency}) {
    EXPECT_DOUBLE_EQ(value_of({{1, 1}, {5, 5}}, form, IccUnit::single), 1);
    EXPECT_FALSE(icc({{1, 1}, {5, 5}}, form, IccUnit::single)->low);
    EXPECT_FALSE(icc({{1, 2}}, form, IccUnit::single));
    EXPECT_FALSE(icc({}, form, IccUnit::mean));
    EXPECT_FALSE(icc({{3, 3}, {3, 3}}, form, IccUnit::mean));
    EXPECT_FALSE(icc({{3}, {4}}, form, IccUnit::single));
  }
}

}  // namespace
}  // namespace crema::study
