// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "report/case/report.h"
#include "report/compact_json.h"

namespace crema::report {
namespace {

TEST(Html, MarkupAndBadBytesBecomeText) {
  EXPECT_EQ(escaped("<b a=\"'&\">"), "&lt;b a=&quot;&#39;&amp;&quot;&gt;");
  EXPECT_EQ(escaped("a\xff\x01z"), "a\xef\xbf\xbd z");
  EXPECT_EQ(name_html("<i>"), "<bdi>&lt;i&gt;</bdi>");
}

TEST(Html, MarksThatTurnTheDirectionAreShownInsteadOfObeyed) {
  EXPECT_EQ(bidi_safe("a\xe2\x80\xae"
                      "b\xe2\x81\xa6\xe2\x80\x8f"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(bidi_safe("é\xd8\x9c"), "é\xef\xbf\xbd");
  EXPECT_EQ(bidi_safe("“plain” …"), "“plain” …");
}

TEST(Html, NumbersReadWell) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(grouped(-1234), "−1\u202f234");
  Grid grid{{10, 10, 10}};
  EXPECT_EQ(size_html(grid, 4321), "4.32");
  EXPECT_EQ(size_html(grid, 123456), "123");
  EXPECT_EQ(page_unit(grid).unit, "ml");
  EXPECT_EQ(counted(1, "voxel", "voxels"), "1 voxel");
  EXPECT_EQ(counted(2000, "voxel", "voxels"), "2\u202f000 voxels");
  EXPECT_NE(measure_html(Undefined::both_empty).find("both masks are empty"), std::string::npos);
}

TEST(Html, WhatIsFilledInIsNotLookedAtAgain) {
  EXPECT_EQ(filled("<{{a}}|{{b}}>", {{"a", "{{b}}"}, {"b", "2"}}), "<{{b}}|2>");
  EXPECT_THROW(filled("{{c}}", {{"a", "1"}}), std::logic_error);
}

TEST(CompactJson, StandsInsideAScript) {
  EXPECT_EQ(compact(Json{{"a</script>", {1, 2.5, nullptr, true}}, {"b", "\"\\\n&"}}),
            "{\"a\\u003c/script\\u003e\":[1,2.5,null,true],\"b\":\"\\\"\\\\\\u000a\\u0026\"}");
}

TEST(Slices, AreNamedByAxisFirstAndLast) {
  const Grid grid{.size = {10, 20, 30}};
  const Slices slices = parse_slices("y=3:19", grid);
  EXPECT_EQ(slices.axis, Axis::y);
  EXPECT_EQ(slices.first, 3);
  EXPECT_EQ(slices.last, 19);
  for (const char* wrong :
       {"", "z", "z=", "z=1", "w=1:2", "z=1:", "z=:2", "z=2:1", "y=0:20", "z=-1:3", "z=1:2x"})
    EXPECT_THROW(parse_slices(wrong, grid), UsageError) << wrong;
}

}  // namespace
TEST(Gap, SaysNoneBetterWhereItIsRounding) {
  EXPECT_EQ(gap_html(0.2, 0.2 * (1 - 6.6e-12)), "none better");
  EXPECT_EQ(gap_html(0, 0), "none better");
  EXPECT_EQ(gap_html(0.2, 0.199), "0.5 %");
}

}  // namespace crema::report
