// SPDX-License-Identifier: Apache-2.0
#include "plot/svg.h"

#include <gtest/gtest.h>

namespace crema::plot::svg {
namespace {

TEST(Svg, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(escaped("a<b>&\"c'\n"), "a&lt;b&gt;&amp;&quot;c&#39; ");
  EXPECT_EQ(text({1, 2}, "<script>").find("<script>"), std::string::npos);
}

TEST(Svg, NumbersAreShort) {
  EXPECT_EQ(number(1.5), "1.5");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(2.0 / 3), "0.67");
}

TEST(Svg, APictureStandsAlone) {
  const std::string made = picture(10, 20, "A & B", dot({1, 2}, 3, "#000"));
  EXPECT_EQ(made.find("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20\""), 0U);
  EXPECT_NE(made.find("<title>A &amp; B</title>"), std::string::npos);
  EXPECT_EQ(made.find("http", 12 + 26), std::string::npos) << "nothing is fetched";
  EXPECT_EQ(made.substr(made.size() - 7), "</svg>\n");
}

TEST(Svg, ALineVisitsItsPoints) {
  EXPECT_EQ(polyline({{0, 1}, {2, 3.5}}, {"#123456", 2, "4 3"}),
            "<path d=\"M0 1L2 3.5\" stroke-linejoin=\"round\" fill=\"none\" stroke=\"#123456\" "
            "stroke-width=\"2\" stroke-dasharray=\"4 3\"/>\n");
}

}  // namespace
}  // namespace crema::plot::svg
