// SPDX-License-Identifier: Apache-2.0
#include "plot/palette.h"

#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace crema::plot {
namespace {

double channel(std::string_view colour, std::size_t at) {
  const double value = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// The lightness that a grey print has.
double luminance(std::string_view colour) {
  return 0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5);
}

double contrast(std::string_view a, std::string_view b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

TEST(Palette, NoTwoRatersLookTheSame) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (int k = 0; k < 64; ++k) seen.insert({rater_stroke(k, 1).colour, rater_stroke(k, 1).dash});
  EXPECT_EQ(seen.size(), 64U);
}

TEST(Palette, TheFirstEightDifferInColourAndInDashes) {
  std::set<std::string_view> colours, dashes;
  for (int k = 0; k < 8; ++k) {
    colours.insert(rater_stroke(k, 1).colour);
    dashes.insert(rater_stroke(k, 1).dash);
  }
  EXPECT_EQ(colours.size(), 8U);
  EXPECT_EQ(dashes.size(), 8U);
}

TEST(Palette, LinesAreSeenOnWhiteAndNoneIsTheConsensus) {
  for (int k = 0; k < 8; ++k) {
    EXPECT_GE(contrast(rater_stroke(k, 1).colour, kWhite), 2) << k;
    EXPECT_NE(rater_stroke(k, 1).colour, kInk);
  }
}

TEST(Palette, ShadesFallInLightnessAllTheWay) {
  for (int n = 1; n <= 100; ++n)
    EXPECT_LT(luminance(shade(n / 100.0)), luminance(shade((n - 1) / 100.0))) << n;
  EXPECT_EQ(shade(-1), shade(0));
  EXPECT_EQ(shade(2), shade(1));
}

TEST(Palette, LettersCanBeReadOnEveryShade) {
  for (int n = 0; n <= 100; ++n) EXPECT_GE(contrast(ink_on_shade(n / 100.0), shade(n / 100.0)), 3) << n;
}

TEST(Palette, TakesTheColourThatAFileStates) {
  EXPECT_EQ(structure_colour("0.8 0.4 0", 3), "#cc6600");
  EXPECT_EQ(structure_colour("1 1 1", 0), "#ffffff");
}

TEST(Palette, GivesAStructureItsOwnColourWhereNoneCanBeRead) {
  for (const char* stated : {"", "red", "0.1 0.2", "2 0 0", "nan 0 0", "\"/><script>"})
    EXPECT_EQ(structure_colour(stated, 1), structure_colour("", 1));
  EXPECT_NE(structure_colour("", 0), structure_colour("", 1));
}

}  // namespace
}  // namespace crema::plot
