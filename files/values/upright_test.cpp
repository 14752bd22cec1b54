// SPDX-License-Identifier: Apache-2.0
#include "files/values/upright.h"

#include "files/testing.h"

namespace crema::files::testing {
namespace {

/// A b c over d e f, as each orientation stores it: rows one below the other.
struct Stored {
  int orientation;
  std::size_t width, height;
  std::string pixels;
};

const std::vector<Stored> kStored{{1, 3, 2, "abcdef"}, {2, 3, 2, "cbafed"}, {3, 3, 2, "fedcba"},
                                  {4, 3, 2, "defabc"}, {5, 2, 3, "adbecf"}, {6, 2, 3, "cfbead"},
                                  {7, 2, 3, "fcebda"}, {8, 2, 3, "daebfc"}};

TEST(Upright, AllEightOrientationsGiveTheSamePicture) {
  for (const Stored& stored : kStored) {
    const Bytes pixels(stored.pixels.begin(), stored.pixels.end());
    const Bytes seen = turned_upright(pixels, stored.width, stored.height, 1, {stored.orientation});
    EXPECT_EQ(std::string(seen.begin(), seen.end()), "abcdef") << stored.orientation;
    EXPECT_EQ(Orientation{stored.orientation}.exchanged(), stored.width == 2) << stored.orientation;
  }
}

TEST(Upright, PixelsOfSeveralBytesStayWhole) {
  for (const Stored& stored : kStored) {
    Bytes pixels, expected;
    for (const char c : stored.pixels) pixels.insert(pixels.end(), {0, static_cast<std::uint8_t>(c), 7});
    for (const char c : std::string("abcdef"))
      expected.insert(expected.end(), {0, static_cast<std::uint8_t>(c), 7});
    EXPECT_EQ(turned_upright(pixels, stored.width, stored.height, 3, {stored.orientation}), expected);
  }
}

TEST(Upright, NumbersThatCannotBeLeaveThePictureAlone) {
  for (const int stated : {0, 9, -1, 65535}) {
    EXPECT_EQ(turned_upright({1, 2, 3, 4}, 2, 2, 1, {stated}), (Bytes{1, 2, 3, 4}));
    EXPECT_FALSE(Orientation{stated}.exchanged());
    EXPECT_TRUE(any_has(orientation_warnings({stated}, "a"), "a: states the orientation"));
  }
  EXPECT_TRUE(orientation_warnings({1}, "a").empty());
  EXPECT_TRUE(any_has(orientation_warnings({3}, "a"), "upside down (orientation 3)"));
  EXPECT_TRUE(any_has(orientation_warnings({6}, "a"), "on its side (orientation 6)"));
}

}  // namespace
}  // namespace crema::files::testing
