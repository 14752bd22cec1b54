// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/review/merged.h"

#include <gtest/gtest.h>

#include "test/agreement_testing.h"
#include "test/ascii.h"

namespace crema {
namespace {

TEST(Merged, NamesTheRaterWhoDrewAsOneWhatOthersSeeAsTwo) {
  const auto two = ascii::mask({"##..##"}), one = ascii::mask({"######"});
  const Reduction reduction = agreement_testing::reduce({.size = {6, 1, 1}}, {two, one, two});
  const MergedByRater merged = find_merged(reduction, 0);
  EXPECT_EQ(merged.rater, 1);
  EXPECT_EQ(merged.regions, 2U);
}

TEST(Merged, OneOtherRaterIsNotEnough) {
  const auto two = ascii::mask({"##..##"}), one = ascii::mask({"######"}), left = ascii::mask({"##...."});
  EXPECT_EQ(find_merged(agreement_testing::reduce({.size = {6, 1, 1}}, {two, one}), 0).rater, -1);
  EXPECT_EQ(find_merged(agreement_testing::reduce({.size = {6, 1, 1}}, {two, one, left}), 0).rater, -1);
  EXPECT_EQ(find_merged(agreement_testing::reduce({.size = {6, 1, 1}}, {two, one, one, two}), 0).rater, -1);
}

}  // namespace
}  // namespace crema
