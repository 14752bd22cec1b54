// SPDX-License-Identifier: Apache-2.0
#include "files/meta/geometry.h"

#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/io/text_testing.h"

namespace crema::files::testing {
namespace {

namespace fs = std::filesystem;

std::string refused_place_of_meta(const std::string& name, const std::string& text) {
  const Folder folder;
  return refusal(folder.put("a.mha", sound_meta().set(name, text).bytes()));
}

TEST(MetaGeometry, RowsOfTheMatrixAreAxes) {
  const Folder folder;
  for (const std::string name : {"TransformMatrix", "Rotation", "Orientation"}) {
    for (const std::string place : {"Offset", "Position", "Origin"}) {
      Lines file = sound_meta();
      file.drop("TransformMatrix").drop("Offset").drop("ElementSpacing").set("ElementSize", "2 3 4");
      file.set(name, "0 0 1 -1 0 0 0 1 0").set(place, "10 20 30");
      const Grid grid = read_header(folder.put("a.mha", file.bytes())).grid;
      EXPECT_EQ(grid.direction, (std::array<double, 9>{0, 1, 0, 0, 0, -1, 1, 0, 0}));
      EXPECT_EQ(grid.spacing, (Vec{2, 3, 4}));
      EXPECT_EQ(grid.origin, (Vec{-10, -20, 30}));
    }
  }
}

TEST(MetaGeometry, RefusesNumbersThatCannotBe) {
  for (const std::string text :
       {"1 0 0 0 1 0 0 0", "1 0 0 0 1 0 0 0 nan", "1 0 0 0 1 0 0 0 x", "inf 0 0 0 1 0 0 0 1"})
    EXPECT_TRUE(has(refused_place_of_meta("TransformMatrix", text), "9 finite numbers")) << text;
  EXPECT_TRUE(has(refused_place_of_meta("TransformMatrix", "1 0 0 2 0 0 0 0 1"), "lie in a plane"));
  EXPECT_TRUE(has(refused_place_of_meta("Offset", "1 2"), "3 finite numbers"));
  EXPECT_TRUE(has(refused_place_of_meta("Offset", "1 2 nan"), "3 finite numbers"));
  EXPECT_TRUE(has(refused_place_of_meta("ElementSpacing", "1 1"), "for 3 axes"));
  const Folder folder;
  const Header header =
      read_header(folder.put("a.mha", sound_meta().set("ElementSpacing", "-2 0 nan").bytes()));
  EXPECT_EQ(header.grid.spacing, (Vec{2, 1, 1}));
  EXPECT_EQ(header.warnings.size(), 3u);
}

TEST(MetaGeometry, TrailingSingletonsAreDroppedAndVolumesRefused) {
  const Folder folder;
  Lines file = sound_meta();
  file.drop("TransformMatrix")
      .drop("Offset")
      .drop("ElementSpacing")
      .set("NDims", "4")
      .set("DimSize", "4 3 2 1");
  const Header header = read_header(folder.put("a.mha", file.bytes()));
  EXPECT_EQ(header.grid.size, (std::array{4, 3, 2}));
  EXPECT_FALSE(header.positioned);
  EXPECT_TRUE(any_has(header.warnings, "states no position"));
  EXPECT_TRUE(has(refusal(folder.put("b.mha", file.set("DimSize", "2 3 2 2").bytes())), "2 volumes"));
  file.set("NDims", "2").set("DimSize", "4 6").set("TransformMatrix", "0 1 -1 0").set("Offset", "3 4");
  const Grid flat = read_header(folder.put("c.mha", file.bytes())).grid;
  EXPECT_EQ(flat.size, (std::array{4, 6, 1}));
  EXPECT_EQ(flat.direction, (std::array<double, 9>{0, 1, 0, -1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(flat.origin, (Vec{-3, -4, 0}));
}

TEST(MetaWrite, AllTurnsOfTheAxesGiveTheSameVoxels) {
  expect_all_turns(".mha");
  expect_all_turns(".mhd");
}

RC_GTEST_PROP(MetaWrite, KeepsTheGeometryOfAMetaImageToTheBit, (unsigned seed)) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(0.1, 100);
  const auto numbers = [&](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + real_text(real(random));
    return text;
  };
  const Folder folder;
  Lines file = sound_meta();
  file.set("Offset", numbers(3)).set("ElementSpacing", numbers(3)).set("TransformMatrix", numbers(9));
  const Header header = read_header(folder.put("reference.mha", file.bytes()));
  for (const std::string name : {"a.mha", "b.mhd"}) {
    write_image(folder / name, HardImage(sound_mask()), header);
    const Header back = read_header(folder / name);
    RC_ASSERT(back.grid == header.grid);
    RC_ASSERT(back.type == "uint8");
    RC_ASSERT(read_mask(back).voxels == sound_mask());
  }
}

TEST(MetaWrite, SoftImagesKeepTheirLevels) {
  const Folder folder;
  const Header header = read_header(folder.put("a.mha", sound_meta().bytes()));
  write_image(folder / "b.mhd", SoftImage(24, 0.1f), header);
  EXPECT_EQ(read_map(read_header(folder / "b.mhd")).levels, SoftImage(24, 0.1f));
  EXPECT_TRUE(fs::exists(folder / "b.zraw"));
}

TEST(MetaWrite, TheVoxelsOfAnInputAreNeverReplaced) {
  const Folder folder;
  Lines file = sound_meta();
  file.set("ElementDataFile", "out.zraw").voxels = {};
  folder.put("out.zraw", sound_mask());
  const auto path = folder.put("in.mhd", file.bytes());
  EXPECT_THROW(check_output(folder / "out.mhd", sound_grid(), {path}, {.overwrite = true}), UsageError);
  EXPECT_NO_THROW(check_output(folder / "other.mhd", sound_grid(), {path}, {.overwrite = true}));
}

TEST(MetaGeometry, OriginsAndMatricesThatDifferAreRefused) {
  EXPECT_TRUE(
      has(refused_place_of_meta("Origin", "-5 -6 8"), "states Offset = -5 -6 7, but also Origin = -5 -6 8"));
  EXPECT_TRUE(
      has(refused_place_of_meta("Position", "0 0 0"), "states Offset = -5 -6 7, but also Position = 0 0 0"));
  EXPECT_TRUE(
      has(refused_place_of_meta("Rotation", "1 0 0 0 1 0 0 0 1"), "but also Rotation = 1 0 0 0 1 0 0 0 1"));
  EXPECT_TRUE(has(refused_place_of_meta("Orientation", "-1 0 0 0 1 0 0 0 1"),
                  "states TransformMatrix = -1 0 0 0 -1 0 0 0 1"));
  EXPECT_TRUE(has(refused_place_of_meta("Orientation", "-1 0 0 0 nan 0 0 0 1"), "9 finite numbers"));
  EXPECT_TRUE(has(refused_place_of_meta("Origin", "1 2"), "3 finite numbers"));
  Lines file = sound_meta();
  file.drop("Offset").set("Origin", "1 2 3").set("Position", "1 2 4");
  const Folder folder;
  EXPECT_TRUE(has(refusal(folder.put("a.mha", file.bytes())), "Position = 1 2 4, but also Origin = 1 2 3"));
}

TEST(MetaGeometry, OriginsAndMatricesThatAgreeAreFine) {
  EXPECT_EQ(refused_place_of_meta("Origin", "-5.0 -6 7.00"), "");
  EXPECT_EQ(refused_place_of_meta("Position", "-5 -6 7"), "");
  EXPECT_EQ(refused_place_of_meta("Orientation", "-1 0 0 0 -1 0 0 0 1.0"), "");
}

TEST(MetaGeometry, WarnsOfVoxelsThatAreThickerThanTheyLieApart) {
  const Folder folder;
  const auto warnings = [&](const std::string& size) {
    return read_header(folder.put("a.mha", sound_meta().set("ElementSize", size).bytes())).warnings;
  };
  EXPECT_TRUE(warnings("1 1 1.0").empty());
  EXPECT_TRUE(
      any_has(warnings("1 1 3"), "states ElementSpacing = 1 1 1, but ElementSize = 1 1 3; the former"));
}

TEST(MetaGeometry, IsMeasuredWhereItStatesASpacing) {
  const Folder folder;
  const auto measured = [&](Lines file) { return read_header(folder.put("a.mha", file.bytes())).measured; };
  EXPECT_TRUE(measured(sound_meta()));
  EXPECT_TRUE(measured(sound_meta().drop("ElementSpacing").set("ElementSize", "1 1 1")));
  EXPECT_TRUE(measured(sound_meta().drop("TransformMatrix").drop("Offset")));
  EXPECT_FALSE(measured(sound_meta().drop("ElementSpacing")));
  EXPECT_FALSE(measured(sound_meta().set("ElementSpacing", "1 0 1")));
}

}  // namespace
}  // namespace crema::files::testing
