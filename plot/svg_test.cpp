// SPDX-License-Identifier: Apache-2.0
#include "plot/svg.h"

#include <gtest/gtest.h>

namespace crema::plot::svg {
namespace {

TEST(Svg, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(escaped("a<b>&\"c'\n"), "a&lt;b&gt;&amp;&quot;c&#39; ");
  EXPECT_EQ(text({1, 2}, "<script>").find("<script>"), std::string::npos);
}

TEST(Svg, LeavesOutWhatNoDocumentMayHold) { EXPECT_EQ(escaped("a\uFFFEb\uFFFFc\uFFFDd"), "a b c\uFFFDd"); }

TEST(Svg, MarksAreEscaped) {
  EXPECT_EQ(group({{"class", "a\"b"}}, ""), "<g class=\"a&quot;b\">\n</g>\n");
  EXPECT_EQ(area("M0 0z", "#123456", 0.5), "<path d=\"M0 0z\" fill=\"#123456\" fill-opacity=\"0.5\"/>\n");
}

TEST(Svg, EmbedsAFileWhateverItsLength) {
  const auto of = [](std::string_view bytes) {
    const std::string result = embedded({0, 0}, 1, 1, bytes);
    const auto from = result.find("base64,") + 7;
    return result.substr(from, result.find('"', from) - from);
  };
  // As RFC 4648 has it.
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foob"), "Zm9vYg==");
  EXPECT_EQ(of("fooba"), "Zm9vYmE=");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(of("\xff\xfe"), "//4=");
}

TEST(Svg, LongWordsLoseTheirMiddle) {
  EXPECT_EQ(shortened("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(shortened("abcdefghi", 8), "abc…fghi");
  EXPECT_EQ(shortened("äöüäöüäöü", 5), "äö…öü");
  EXPECT_GT(text_width("abcd", 12), text_width("abc", 12));
  EXPECT_EQ(text_width("äöü", 12), text_width("abc", 12)) << "letters count, not bytes";
}

TEST(Svg, NumbersAreShort) {
  EXPECT_EQ(number(1.5), "1.5");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(2.0 / 3), "0.67");
}

TEST(Svg, APictureStandsAlone) {
  const std::string result = picture(10, 20, "A & B", dot({1, 2}, 3, "#000"));
  EXPECT_EQ(result.find("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20\""), 0U);
  EXPECT_NE(result.find("<title>A &amp; B</title>"), std::string::npos);
  EXPECT_EQ(result.find("http", 12 + 26), std::string::npos) << "nothing is fetched";
  EXPECT_EQ(result.substr(result.size() - 7), "</svg>\n");
}

TEST(Svg, ALineVisitsItsPoints) {
  EXPECT_EQ(polyline({{0, 1}, {2, 3.5}}, {"#123456", 2, "4 3"}),
            "<path d=\"M0 1L2 3.5\" stroke-linejoin=\"round\" fill=\"none\" stroke=\"#123456\" "
            "stroke-width=\"2\" stroke-dasharray=\"4 3\"/>\n");
}

}  // namespace
}  // namespace crema::plot::svg
