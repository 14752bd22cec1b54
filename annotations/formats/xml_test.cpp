// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/xml.h"

#include <ctime>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::annotations {
namespace {

TEST(Xml, ElementsAttributesTextAndEntitiesAreRead) {
  const XmlElement root = parse_xml(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- a -->\n<a b='1 &lt; 2' "
      "c=\"&#x41;&#66;\">\n"
      " <d/>x &amp; y<![CDATA[<z>]]><!-- e --><d f=\"\"></d >\n</a>\n");
  EXPECT_EQ(root.name, "a");
  EXPECT_EQ(*root.attribute("b"), "1 < 2");
  EXPECT_EQ(*root.attribute("c"), "AB");
  EXPECT_EQ(root.attribute("z"), nullptr);
  EXPECT_EQ(root.text, "x & y<z>");
  ASSERT_EQ(root.children.size(), 2);
  EXPECT_EQ(*root.children[1].attribute("f"), "");
}

TEST(Xml, WhatIsNotReadIsRefused) {
  for (const char* bad : {"",
                          "x",
                          "<",
                          "<a",
                          "<a>",
                          "<a></b>",
                          "<a b></a>",
                          "<a b=c/>",
                          "<a b='1' b='2'/>",
                          "<a b='1'c='2'/>",
                          "<a b='<'/>",
                          "<a/><b/>",
                          "<a/>x",
                          "<a>&nbsp;</a>",
                          "<a>&</a>",
                          "<a>&#0;</a>",
                          "<a>&#xD800;</a>",
                          "<a>&#x110000;</a>",
                          "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
                          "<a><!DOCTYPE b></a>",
                          "<a><?php ?></a>",
                          "<a><!-- </a>",
                          "< a/>",
                          "<a><![CDATA[</a>"})
    EXPECT_THROW(parse_xml(bad), InputError) << bad;
}

TEST(Xml, OtherEncodingsAreRefusedByName) {
  for (const char* sound : {"<?xml version='1.0'?><a/>", "<?xml version='1.0' encoding='UTF-8'?><a/>",
                            "<?xml version=\"1.0\" encoding=\"us-ascii\" standalone='yes'?><a/>"})
    EXPECT_EQ(parse_xml(sound).name, "a") << sound;
  for (const char* bad : {"<?xml version='1.0' encoding='iso-8859-1'?><a/>", "<?xml encoding?><a/>",
                          "<?xml encoding='?><a/>", "<?xml encoding=''?><a/>"})
    EXPECT_THROW(parse_xml(bad), InputError) << bad;
}

TEST(Xml, ManyEntitiesTakeTimeInProportion) {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "&lt;";
  const std::clock_t start = std::clock();
  EXPECT_EQ(parse_xml("<a b='" + many + "'/>").attribute("b")->size(), 200'000);
  EXPECT_EQ(parse_xml("<a>" + many + "</a>").text.size(), 200'000);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 10);
}

TEST(Xml, DepthAndAttributesAreBounded) {
  std::string deep, wide = "<a";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  for (int i = 0; i < 100000; ++i) wide += " a" + std::to_string(i) + "=''";
  EXPECT_THROW(parse_xml(deep), InputError);
  EXPECT_THROW(parse_xml(wide + "/>"), InputError);
}

TEST(Xml, AnyTextComesBackFromAnAttribute) {
  const std::string text = "a<b>&\"c'\td\ne é";
  EXPECT_EQ(*parse_xml("<x y=\"" + escape_xml(text) + "\"/>").attribute("y"), text);
}

}  // namespace
}  // namespace crema::annotations
