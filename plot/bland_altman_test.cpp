// SPDX-License-Identifier: Apache-2.0
#include "plot/bland_altman.h"

#include <gtest/gtest.h>

namespace crema::plot {
namespace {

TEST(BlandAltman, DrawsEveryPointTheLimitAndTheRaters) {
  const std::string picture = draw_agreement({.title = "Volumes <of> raters",
                                              .x_name = "mean",
                                              .y_name = "difference",
                                              .points = {{10, 1, 0}, {10, -1, 1}, {40, 3, 0}, {40, -3, 1}},
                                              .limit = 2.5,
                                              .raters = {"Anna", "Ben"}});
  std::size_t dots = 0;
  for (std::size_t at = picture.find("<circle"); at != std::string::npos;
       at = picture.find("<circle", at + 1))
    ++dots;
  EXPECT_EQ(dots, 4U + 2U);
  EXPECT_NE(picture.find("± 2.5"), std::string::npos);
  EXPECT_NE(picture.find("Anna"), std::string::npos);
  EXPECT_EQ(picture.find("<of>"), std::string::npos);
}

TEST(BlandAltman, NumbersOfBothAxesAreWrittenAlike) {
  const std::string picture = draw_agreement(
      {.title = "t", .points = {{3000, 1800, 0}, {3000, -1800, 1}}, .limit = 1500, .raters = {"a", "b"}});
  EXPECT_NE(picture.find(">2\u202f000<"), std::string::npos);
  EXPECT_NE(picture.find(">−1\u202f000<"), std::string::npos);
  EXPECT_EQ(picture.find(">-"), std::string::npos);
}

TEST(BlandAltman, RatersWhoAgreeExactlyAreDrawn) {
  const std::string picture =
      draw_agreement({.title = "t", .points = {{0, 0, 0}}, .limit = 0, .raters = {"a"}});
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace crema::plot
