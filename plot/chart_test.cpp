// SPDX-License-Identifier: Apache-2.0
#include "plot/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace crema::plot::chart {
namespace {

using Values = std::vector<double>;

TEST(Chart, RoundValuesAreRound) {
  EXPECT_EQ(round_values(0, 10, 5), (Values{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_values(130, 470, 4), (Values{200, 300, 400}));
}

TEST(Chart, ThousandsAreParted) {
  EXPECT_EQ(grouped(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(grouped(-1000), "−1\u202f000");
  EXPECT_EQ(grouped(12), "12");
  EXPECT_EQ(grouped(0.25), "0.25");
}

TEST(Chart, NamesThatDoNotMeetStayWhereTheyAre) {
  EXPECT_EQ(spread({10, 40, 80}, 15, 0, 100), (Values{10, 40, 80}));
}

TEST(Chart, NamesThatMeetShareTheirMiddle) {
  EXPECT_EQ(spread({50, 50}, 10, 0, 100), (Values{45, 55}));
  EXPECT_EQ(spread({0, 0, 0}, 10, 0, 100), (Values{0, 10, 20}));
  EXPECT_EQ(spread({99, 100}, 10, 0, 100), (Values{90, 100}));
}

RC_GTEST_PROP(Chart, NamesNeverOverlapAndStayInRange, (std::vector<std::uint8_t> requested)) {
  if (requested.size() > 20) requested.resize(20);
  Values wanted(requested.begin(), requested.end());
  std::sort(wanted.begin(), wanted.end());
  const Values places = spread(wanted, 13, 0, 300);
  RC_ASSERT(places.size() == wanted.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    RC_ASSERT(places[i] >= -1e-9 && places[i] <= 300 + 1e-9);
    if (i > 0) RC_ASSERT(places[i] - places[i - 1] >= 13 - 1e-9);
  }
}

TEST(Chart, ALineThatLeavesTheFrameEndsAtItsEdge) {
  const auto kept = below({{0, 50}, {10, 30}, {20, -10}, {30, -50}}, 10);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept.back().x, 15);
  EXPECT_EQ(kept.back().y, 10);
  EXPECT_EQ(below({{0, 5}, {10, 30}}, 10).size(), 0U);
  EXPECT_EQ(below({{0, 50}, {10, 30}}, 10).size(), 2U);
}

TEST(Chart, LinesOfOneValueAndImagesOfOneSizeAreDrawnWithNumbersOnly) {
  const Panel panel{.title = "t",
                    .x_name = "x",
                    .frame = {0, 0, 100, 100},
                    .x = {7},
                    .series = {{"flat", {0}, {}}},
                    .marks = {{7, "here"}},
                    .ceiling = {}};
  const std::string drawn = draw(panel);
  EXPECT_NE(drawn.find(">flat<"), std::string::npos);
  EXPECT_EQ(drawn.find("nan"), std::string::npos);
  EXPECT_EQ(drawn.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace crema::plot::chart
