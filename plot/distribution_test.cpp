// SPDX-License-Identifier: Apache-2.0
#include "plot/distribution.h"

#include <cmath>

#include <gtest/gtest.h>

#include "plot/heat_map.h"

namespace crema::plot {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Quantile, LiesBetweenNeighboursInProportion) {
  EXPECT_EQ(quantile({3}, 0.5), 3);
  EXPECT_EQ(quantile({1, 2, 3, 4}, 0.5), 2.5);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_EQ(quantile({1, 2}, 1), 2);
}

TEST(Distribution, TellsTheMedianAndEscapesNames) {
  const std::string svg = draw_distribution({"size", "ml", {{"<b>", {1, 2, 4}}, {"none", {}}}});
  EXPECT_NE(svg.find(">2.00</text>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt;"), std::string::npos);
  EXPECT_NE(svg.find("no value"), std::string::npos);
  EXPECT_EQ(count(svg, "<circle"), 3U);
}

TEST(Distribution, ManyValuesAreACurveWhateverTheyAre) {
  for (const double step : {0.0, 1.0, 1e-9, 1e12}) {
    std::vector<double> values;
    for (int i = 0; i < 500; ++i) values.push_back(1 + step * i);
    for (const bool logarithmic : {false, true}) {
      const std::string svg = draw_distribution({"size", "ml", {{"one", values}}, logarithmic});
      EXPECT_EQ(count(svg, "<circle"), 0U);
      EXPECT_EQ(svg.find("nan"), std::string::npos) << step;
      EXPECT_EQ(svg.find("inf"), std::string::npos) << step;
      EXPECT_LT(svg.size(), 10000U) << step;
    }
  }
}

TEST(HeatMap, HasACellForEachNumberAndADotWhereThereIsNone) {
  HeatMap map{"who", "Dice", 1, 0.5, {"anna", "b<en"}, {}};
  map.columns = {{"case 1 <", "case-1", {1, 0.5}}, {"case 2", "case-2", {0.75, std::nan("")}}};
  const std::string svg = draw_heat_map(map);
  EXPECT_EQ(count(svg, "class=\"column\""), 2U);
  EXPECT_NE(svg.find("<title>case 1 &lt;</title>"), std::string::npos);
  EXPECT_NE(svg.find("b&lt;en"), std::string::npos);
  EXPECT_EQ(count(svg, "h2v2h-2z"), 1U);
  EXPECT_EQ(count(svg, "h59v17h-59z"), 3U);
}

TEST(HeatMap, ManyColumnsGoInBandsAndStayWideEnoughToPointAt) {
  HeatMap map{"who", "Dice", 1, 1, {"anna"}, {}};
  for (int c = 0; c < 1000; ++c) map.columns.push_back({"case", "key", {1}});
  const std::string svg = draw_heat_map(map);
  EXPECT_EQ(count(svg, "class=\"column\""), 1000U);
  EXPECT_GT(count(svg, ">anna</text>"), 5U);
  EXPECT_EQ(count(svg, "h7v13h-7z"), 2000U);  // the cell, and what lies over it
}

}  // namespace
}  // namespace crema::plot
