// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <gtest/gtest.h>

#include "plot/cases/forest.h"
#include "plot/cases/panel_curve.h"

namespace crema::plot {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Forest, HasAMarkForEachRowAndABarWhereTheIntervalIsKnown) {
  const std::string svg =
      draw_forest({"Raters", "percent", {{"a<b", 2, -1, 5, "+2.0"}, {"ben", -3, {}, {}, "−3.0"}}});
  EXPECT_EQ(count(svg, "<circle"), 2U);
  EXPECT_EQ(count(svg, "stroke=\"#8a4b12\""), 1U);
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Forest, OneRowWithoutAnEffectHasAnAxis) {
  const std::string svg = draw_forest({"Raters", "percent", {{"anna", 0, 0, 0, "0"}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PanelCurve, HasAPointForEachSizeAndJoinsThem) {
  const std::string svg = draw_panel_curve(
      {"Panels",
       "raters",
       "Dice",
       {{"the rest", {{1, 0.5, 0.6, 0.7}, {2, 0.6, 0.7, 0.8}}}, {"all", {{2, 0.8, 0.9, 1}}}}});
  EXPECT_EQ(count(svg, "<circle"), 3U);
  EXPECT_EQ(count(svg, "stroke-linejoin"), 1U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace crema::plot
