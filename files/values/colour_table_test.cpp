// SPDX-License-Identifier: Apache-2.0
#include "files/values/colour_table.h"

#include <fstream>

#include <gtest/gtest.h>

#include "crema/base/error.h"
#include "files/testing.h"

namespace crema::files {
namespace {

using testing::Folder;

ColourTable table_of(const std::string& text) {
  const Folder folder;
  const std::filesystem::path path = folder / "classes.csv";
  std::ofstream(path, std::ios::binary) << text;
  return read_colour_table(path);
}

std::string refusal(const std::string& text) {
  try {
    table_of(text);
  } catch (const InputError& e) {
    return e.sentence.text();
  }
  return "";
}

TEST(ColourTable, LabelsNamesAndColoursAreTaken) {
  const ColourTable table = table_of("label,name,red,green,blue\n7,liver,255,0,0\n2,\"a, b\",0,0,255\n");
  EXPECT_EQ(table.label_of({255, 0, 0}), 7);
  EXPECT_EQ(table.label_of({0, 0, 255}), 2);
  EXPECT_EQ(table.label_of({0, 0, 0}), 0);
  EXPECT_EQ(table.label_of({1, 0, 0}), std::nullopt);
  ASSERT_EQ(table.classes.size(), 2);
  EXPECT_EQ(table.classes[0].name, "liver");
  EXPECT_EQ(table.classes[0].colour, "1 0 0");
  EXPECT_EQ(table.classes[1].name, "a, b");
}

TEST(ColourTable, RowsWithoutLabelsAreNumberedAndBlackIsBackground) {
  const ColourTable table = table_of("Name;Color\r\nvoid;#000000\r\nroad;#804080\r\ncar;#00008E\r\n");
  EXPECT_EQ(table.label_of({128, 64, 128}), 1);
  EXPECT_EQ(table.label_of({0, 0, 142}), 2);
  EXPECT_EQ(table.label_of({0, 0, 0}), 0);
  EXPECT_EQ(table_of("name,r,g,b\nroad,1,2,3\n").label_of({1, 2, 3}), 1);
}

TEST(ColourTable, BlackIsAClassAndAnyColourTheBackgroundWhereTheTableSaysSo) {
  const ColourTable table = table_of("label,colour\n0,#ffffff\n1,#000000\n");
  EXPECT_EQ(table.label_of({255, 255, 255}), 0);
  EXPECT_EQ(table.label_of({0, 0, 0}), 1);
  EXPECT_EQ(table.classes.front().name, "label 1");
}

TEST(ColourTable, SeveralColoursMayBeOneClass) {
  const ColourTable table = table_of("label,name,colour\n1,cell,#ff0000\n1,cell,#00ff00\n");
  EXPECT_EQ(table.classes.size(), 1);
  EXPECT_EQ(table.label_of({0, 255, 0}), 1);
}

TEST(ColourTable, WhatIsNotClearIsRefusedWithItsLine) {
  const std::string head = "label,name,colour\n";
  EXPECT_NE(refusal(head + "1,a,#ff0000\n2,b,#FF0000\n").find("line 3: the colour (255, 0, 0) appears twice"),
            std::string::npos);
  EXPECT_NE(refusal(head + "1,a,#ff0000\n2,a,#00ff00\n").find("line 3: 'a' is the name"), std::string::npos);
  EXPECT_NE(refusal(head + "1,a,#ff0000\n1,b,#00ff00\n").find("line 3: the label 1 is called"),
            std::string::npos);
  EXPECT_NE(refusal(head + "1,a,red\n").find("line 2: 'red' is not a valid colour"), std::string::npos);
  EXPECT_NE(refusal(head + "1,a,#ff00g0\n").find("not a valid colour"), std::string::npos);
  EXPECT_NE(refusal(head + "-1,a,#ff0000\n").find("'-1' is not a valid label"), std::string::npos);
  EXPECT_NE(refusal(head + "65536,a,#ff0000\n").find("not a valid label"), std::string::npos);
  EXPECT_NE(refusal(head + "1.5,a,#ff0000\n").find("not a valid label"), std::string::npos);
  EXPECT_NE(refusal(head + "nan,a,#ff0000\n").find("not a valid label"), std::string::npos);
  EXPECT_NE(refusal(head + "1,a\n").find("line 2 has 2 fields"), std::string::npos);
  EXPECT_NE(refusal(head + "1,\"a\n").find("a quote is not closed"), std::string::npos);
  EXPECT_NE(refusal(head + "1,\xff,#ff0000\n").find("not UTF-8"), std::string::npos);
  EXPECT_NE(refusal("name,red,green,blue\na,256,0,0\n").find("'256' is not a valid part"), std::string::npos);
}

TEST(ColourTable, ATableWithoutColoursOrClassesIsRefused) {
  EXPECT_NE(refusal("").find("is empty"), std::string::npos);
  EXPECT_NE(refusal("label,name\n1,a\n").find("must name a column colour"), std::string::npos);
  EXPECT_NE(refusal("name,red,green\na,1,2\n").find("must name a column colour"), std::string::npos);
  EXPECT_NE(refusal("colour\n#ff0000\n").find("neither a column label nor a column name"), std::string::npos);
  EXPECT_NE(refusal("name,color,colour\na,#ff0000,#ff0000\n").find("appears twice"), std::string::npos);
  EXPECT_NE(refusal("label,colour\n0,#ffffff\n").find("no class besides the background"), std::string::npos);
  EXPECT_NE(refusal(std::string("label\0,colour", 13)).find("is not a text"), std::string::npos);
}

ColourTable red_and_blue() { return table_of("label,name,colour\n1,a,#ff0000\n300,b,#0000ff\n"); }

TEST(ColourPixels, ColoursBecomeLabelsAndTransparencyBackground) {
  const std::vector<std::uint8_t> samples{255, 0, 0, 255, 0, 0, 255, 255, 9, 9, 9, 0, 0, 0, 0, 255};
  const ColourPixels pixels{.width = 4, .page_height = 1, .channels = 4, .samples = samples};
  EXPECT_EQ(labels_by_colour(pixels, red_and_blue(), "a.png"), (std::vector<std::uint16_t>{1, 300, 0, 0}));
}

TEST(ColourPixels, SixteenBitsStandForTheSameColours) {
  const std::vector<std::uint8_t> samples{255, 255, 0, 0, 0, 0};
  const ColourPixels pixels{
      .width = 1, .page_height = 1, .channels = 3, .sample_bytes = 2, .most = 65535, .samples = samples};
  EXPECT_EQ(labels_by_colour(pixels, red_and_blue(), "a.png"), (std::vector<std::uint16_t>{1}));
}

TEST(ColourPixels, AnUnknownColourIsRefusedWithItsValueAndPlace) {
  std::vector<std::uint8_t> samples(3 * 2 * 2 * 3, 0);  // two pages of 2 × 3
  samples[3 * 9] = 254;
  const ColourPixels pixels{.width = 2, .page_height = 3, .channels = 3, .samples = samples};
  try {
    labels_by_colour(pixels, red_and_blue(), "a.tif");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(e.sentence.text().find("a.tif: the colour (254, 0, 0) of pixel (1, 1) of page 2 is not in"),
              std::string::npos)
        << e.sentence.text();
  }
}

TEST(ColourPixels, WhatIsPartlyTransparentOrNoEntryIsRefused) {
  const std::vector<std::uint8_t> half{255, 0, 0, 128};
  const ColourPixels pixels{.width = 1, .page_height = 1, .channels = 4, .samples = half};
  EXPECT_THROW(labels_by_colour(pixels, red_and_blue(), "a.png"), InputError);
  const std::vector<std::uint8_t> number{1};
  const std::array<std::array<std::uint8_t, 4>, 1> entries{{{255, 0, 0, 255}}};
  const ColourPixels indexed{.width = 1, .page_height = 1, .samples = number, .entries = entries};
  EXPECT_THROW(labels_by_colour(indexed, red_and_blue(), "a.png"), InputError);
}

}  // namespace
}  // namespace crema::files
