// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/neighbourhood.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

const Grid kFlat{.size = {4, 4, 1}};
const Grid kSolid{.size = {4, 4, 4}};

TEST(Neighbourhood, DefaultsToEightInThePlaneAndTwentySixInSpace) {
  EXPECT_EQ(make_neighbourhood(kFlat, 0, {}).connectivity, 8);
  EXPECT_EQ(make_neighbourhood(kSolid, 0, {}).connectivity, 26);
  EXPECT_EQ(make_neighbourhood(kSolid, 0, Axis::y).connectivity, 8);
}

TEST(Neighbourhood, RefusesAConnectivityOfAnotherDimensionWithTheOnesThatFit) {
  for (const int connectivity : {6, 18, 26, 5, -1})
    EXPECT_THROW(make_neighbourhood(kFlat, connectivity, {}), InputError);
  for (const int connectivity : {4, 8, 5})
    EXPECT_THROW(make_neighbourhood(kSolid, connectivity, {}), InputError);
  for (const int connectivity : {6, 18, 26})
    EXPECT_THROW(make_neighbourhood(kSolid, connectivity, Axis::z), InputError);
  try {
    make_neighbourhood(kSolid, 8, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("6, 18 or 26"), std::string::npos);
  }
}

TEST(Neighbourhood, SlicesAcrossTheWidestSpacingTheLastOnATie) {
  EXPECT_EQ(default_slice_axis({.size = {4, 4, 4}, .spacing = {1, 1, 1}}), Axis::z);
  EXPECT_EQ(default_slice_axis({.size = {4, 4, 4}, .spacing = {1, 3, 1}}), Axis::y);
  EXPECT_EQ(default_slice_axis({.size = {4, 4, 4}, .spacing = {3, 3, 1}}), Axis::y);
  EXPECT_EQ(default_slice_axis({.size = {4, 4, 4}, .spacing = {3, 1, 1}}), Axis::x);
  EXPECT_EQ(default_slice_axis({.size = {4, 4, 4}, .spacing = {1.0000001, 1, 1}}), Axis::z);
  EXPECT_EQ(default_slice_axis({.size = {4, 4, 1}, .spacing = {3, 1, 1}}), Axis::z);
}

TEST(Neighbourhood, HasHalfItsNeighboursInTheRowsBefore) {
  auto count = [](const Neighbourhood& n) {
    int neighbours = n.open[0] ? 1 : 0;
    for (const RowStep& step : preceding_rows(n)) neighbours += step.wide ? 3 : 1;
    return 2 * neighbours;
  };
  EXPECT_EQ(count(make_neighbourhood(kFlat, 4, {})), 4);
  EXPECT_EQ(count(make_neighbourhood(kFlat, 8, {})), 8);
  EXPECT_EQ(count(make_neighbourhood(kSolid, 6, {})), 6);
  EXPECT_EQ(count(make_neighbourhood(kSolid, 18, {})), 18);
  EXPECT_EQ(count(make_neighbourhood(kSolid, 26, {})), 26);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    EXPECT_EQ(count(make_neighbourhood(kSolid, 4, axis)), 4);
    EXPECT_EQ(count(make_neighbourhood(kSolid, 8, axis)), 8);
  }
}

}  // namespace
}  // namespace crema
