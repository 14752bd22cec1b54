// SPDX-License-Identifier: Apache-2.0
#include "raters/open/order.h"

#include <gtest/gtest.h>

namespace crema::raters {
namespace {

TEST(Order, NumbersInNamesAreReadAsNumbers) {
  EXPECT_TRUE(naturally_before("r2", "r10"));
  EXPECT_FALSE(naturally_before("r10", "r2"));
  EXPECT_TRUE(naturally_before("a10", "b2"));
  EXPECT_TRUE(naturally_before("r1", "r1b"));
  EXPECT_FALSE(naturally_before("r02", "r2"));
  EXPECT_FALSE(naturally_before("r2", "r02"));
  EXPECT_TRUE(naturally_before("s1-r9", "s1-r11"));
  EXPECT_TRUE(naturally_before("99999999999999999999998", "99999999999999999999999"));
}

TEST(Order, OnlyAnOrderByLettersThatIsNotByNumbersIsTold) {
  const Warnings reported = warnings_about_order({"r1", "r10", "r2"});
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_NE(reported[0].text().find("r10 is rater 2 and r2 is rater 3"), std::string::npos)
      << reported[0].text();
  EXPECT_TRUE(warnings_about_order({"r1", "r2", "r10"}).empty());
  EXPECT_TRUE(warnings_about_order({"r01", "r02", "r10"}).empty());
  EXPECT_TRUE(warnings_about_order({"r10", "r1", "r2"}).empty());
  EXPECT_TRUE(warnings_about_order({"b", "a"}).empty());
  EXPECT_EQ(warnings_about_order({"p10/r.nii", "p2/r.nii"}).size(), 1U);
  EXPECT_TRUE(warnings_about_order({"p10/anna.nii", "p2/ben.nii"}).empty());
  EXPECT_TRUE(warnings_about_order({}).empty());
  EXPECT_TRUE(warnings_about_order({"carl.nii", "j\xc3\xb6rg.nii"}).empty());
  EXPECT_TRUE(warnings_about_order({"zoe.nii", "\xc3\xb6zil.nii"}).empty());
}

}  // namespace
}  // namespace crema::raters
