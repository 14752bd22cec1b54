// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/geometry.h"

#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "files/io/text_testing.h"

namespace crema::files::testing {
namespace {

Header header_with(const std::vector<Entry>& changes) {
  const Folder folder;
  Lines file = sound_nrrd();
  for (const Entry& change : changes) file.set(change.name, change.text);
  return read_header(folder.put("a.nrrd", file.bytes()));
}

std::string refused_axes(const std::vector<Entry>& changes) {
  try {
    header_with(changes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NrrdGeometry, EachSpaceIsTurnedIntoOurs) {
  const std::vector<Entry> same{{"space directions", "(1,0,0) (0,1,0) (0,0,1)"}, {"space origin", "(5,6,7)"}};
  const auto origin = [&](const std::string& space) {
    auto changes = same;
    changes.push_back({"space", space});
    return header_with(changes).grid.origin;
  };
  for (const std::string space : {"right-anterior-superior", "RAS"}) EXPECT_EQ(origin(space), (Vec{5, 6, 7}));
  for (const std::string space : {"left-anterior-superior", "LAS"}) EXPECT_EQ(origin(space), (Vec{-5, 6, 7}));
  for (const std::string space : {"left-posterior-superior", "lps"})
    EXPECT_EQ(origin(space), (Vec{-5, -6, 7}));
  EXPECT_EQ(origin("scanner-xyz"), (Vec{-5, -6, 7}));
  EXPECT_TRUE(any_has(header_with({{"space", "scanner-xyz"}}).warnings, "orientation of its space"));
  EXPECT_EQ(header_with({{"space", "LPS"}}).grid.direction,
            (std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1}));
}

TEST(NrrdGeometry, DirectionsAreColumns) {
  const Grid grid = header_with({{"space directions", "(0,0,2) (-3,0,0) (0,4,0)"}}).grid;
  EXPECT_EQ(grid.spacing, (Vec{2, 3, 4}));
  EXPECT_EQ(grid.direction, (std::array<double, 9>{0, -1, 0, 0, 0, 1, 1, 0, 0}));
}

TEST(NrrdGeometry, UnitsBecomeMillimetres) {
  EXPECT_EQ(header_with({{"space units", "\"m\" \"m\" \"m\""}}).grid.origin, (Vec{5000, 6000, 7000}));
  EXPECT_EQ(header_with({{"space units", "\"cm\" \"cm\" \"cm\""}}).grid.spacing, (Vec{10, 10, 10}));
  EXPECT_EQ(header_with({{"space units", "\"mm\" \"mm\" \"mm\""}}).grid, sound_grid());
  EXPECT_TRUE(any_has(header_with({{"space units", "\"ells\" \"ells\" \"ells\""}}).warnings, "ells"));
  EXPECT_TRUE(any_has(header_with({{"space units", "\"mm\" \"m\" \"mm\""}}).warnings, "several"));
}

TEST(NrrdGeometry, RefusesVectorsThatCannotBe) {
  for (const std::string text : {"(nan,nan,nan) (0,1,0) (0,0,1)", "(inf,0,0) (0,1,0) (0,0,1)"})
    EXPECT_TRUE(has(refused_axes({{"space directions", text}}), "NaN or infinite")) << text;
  for (const std::string text : {"(1,0,0) (0,1,0)", "(1,0,0) (0,1,0) (0,0,1) (1,1,1)"})
    EXPECT_TRUE(has(refused_axes({{"space directions", text}}), "vectors instead of 3")) << text;
  for (const std::string text : {"(1,0,0) (0,1,0) (0,0,1", "1 0 0", "(1,,0) (0,1,0) (0,0,1)", "(a,0,0) x y"})
    EXPECT_TRUE(has(refused_axes({{"space directions", text}}), "its space directions is '")) << text;
  EXPECT_TRUE(
      has(refused_axes({{"space directions", "(1,0) (0,1) (1,1)"}}), "2 coordinates, but its space has 3"));
  EXPECT_TRUE(has(refused_axes({{"space directions", "(1,0,0) (2,0,0) (0,0,1)"}}), "lie in a plane"));
  EXPECT_TRUE(has(refused_axes({{"space directions", "(0,0,0) (0,1,0) (0,0,1)"}}), "are 0"));
  EXPECT_TRUE(has(refused_axes({{"space origin", "(nan,0,0)"}}), "NaN or infinite"));
  EXPECT_TRUE(has(refused_axes({{"space origin", "(1,2)"}}), "2 coordinates"));
  EXPECT_TRUE(has(refused_axes({{"space dimension", "4"}}), "space dimension '4', which contradicts it"));
}

TEST(NrrdGeometry, SpacingAloneSaysNothingAboutPlace) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.drop("space").drop("space directions").drop("space origin").set("spacings", "2 3 4");
  const Header header = read_header(folder.put("a.nrrd", file.bytes()));
  EXPECT_FALSE(header.positioned);
  EXPECT_EQ(header.grid.spacing, (Vec{2, 3, 4}));
  EXPECT_TRUE(any_has(header.warnings, "states no position"));
  const auto with = [&](const std::string& text) {
    return read_header(folder.put("b.nrrd", file.set("spacings", text).bytes()));
  };
  EXPECT_EQ(with("-2 0 nan").grid.spacing, (Vec{2, 1, 1}));
  EXPECT_EQ(with("-2 0 nan").warnings.size(), 4u);
  EXPECT_TRUE(has(refusal(folder.put("c.nrrd", file.set("spacings", "1 1").bytes())), "for 3 axes"));
}

TEST(NrrdGeometry, AxesOutsideSpaceAreDroppedWhenTheyHoldOneSample) {
  const Header header = header_with({{"dimension", "4"},
                                     {"sizes", "1 4 3 2"},
                                     {"space directions", "none (1,0,0) (0,1,0) (0,0,1)"},
                                     {"kinds", "list domain domain domain"}});
  EXPECT_EQ(header.grid, sound_grid());
  EXPECT_EQ(
      header_with(
          {{"dimension", "4"}, {"sizes", "4 3 2 1"}, {"space directions", "(1,0,0) (0,1,0) (0,0,1) none"}})
          .grid,
      sound_grid());
  EXPECT_TRUE(has(refused_axes({{"dimension", "4"},
                                {"sizes", "2 2 3 2"},
                                {"kinds", "vector domain domain domain"},
                                {"space directions", "none (1,0,0) (0,1,0) (0,0,1)"}}),
                  "2 samples along axis 1 of kind vector"));
}

TEST(NrrdGeometry, SeveralVolumesAreRefused) {
  const Folder folder;
  Lines file = sound_nrrd();
  file.drop("space").drop("space directions").drop("space origin");
  file.set("dimension", "4").set("sizes", "2 3 2 2");
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "2 samples along axis 4"));
  file.set("sizes", "4 3 2 1");
  EXPECT_EQ(voxels_of(folder.put("b.nrrd", file.bytes())), sound_mask());
}

TEST(NrrdGeometry, TwoAxesMayLieInSpaceOrPlane) {
  const Header slice =
      header_with({{"dimension", "2"}, {"sizes", "4 6"}, {"space directions", "(0,2,0) (0,0,3)"}});
  EXPECT_EQ(slice.grid.size, (std::array{4, 6, 1}));
  EXPECT_EQ(slice.grid.direction, (std::array<double, 9>{0, 0, 1, 1, 0, 0, 0, 1, 0}));
  const Folder folder;
  Lines file = sound_nrrd();
  file.drop("space").set("space dimension", "2").set("dimension", "2").set("sizes", "4 6");
  file.set("space directions", "(2,0) (0,3)").set("space origin", "(5,6)");
  const Header plane = read_header(folder.put("a.nrrd", file.bytes()));
  EXPECT_EQ(plane.grid.origin, (Vec{-5, -6, 0}));
  EXPECT_EQ(plane.grid.spacing, (Vec{2, 3, 1}));
  EXPECT_TRUE(plane.warnings.empty());
}

TEST(NrrdWrite, AllTurnsOfTheAxesGiveTheSameVoxels) {
  expect_all_turns(".nrrd");
  expect_all_turns(".nhdr");
}

RC_GTEST_PROP(NrrdWrite, KeepsTheGeometryOfAnNrrdToTheBit, (unsigned seed)) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-100, 100);
  const auto vector = [&] {
    return "(" + real_text(real(random)) + "," + real_text(real(random)) + "," + real_text(real(random)) +
           ")";
  };
  const Folder folder;
  Lines file = sound_nrrd();
  file.set("space", std::array{"RAS", "LAS", "LPS"}[random() % 3]);
  file.set("space directions", vector() + " " + vector() + " " + vector()).set("space origin", vector());
  const Header header = read_header(folder.put("reference.nrrd", file.bytes()));
  for (const std::string name : {"a.nrrd", "b.nhdr"}) {
    write_image(folder / name, HardImage(sound_mask()), header);
    const Header back = read_header(folder / name);
    RC_ASSERT(back.grid == header.grid);
    RC_ASSERT(back.type == "uint8");
    RC_ASSERT(read_mask(back).voxels == sound_mask());
  }
}

TEST(NrrdWrite, SoftImagesKeepTheirLevels) {
  const Folder folder;
  const Header header = read_header(folder.put("a.nrrd", sound_nrrd().bytes()));
  SoftImage image(24, 0.1f);
  write_image(folder / "b.nrrd", image, header);
  EXPECT_EQ(read_map(read_header(folder / "b.nrrd")).levels, image);
}

TEST(NrrdWrite, FlatAndUnplacedGridsStaySo) {
  const Folder folder;
  Header header;
  header.grid.size = {6, 4, 1};
  header.grid.spacing = {0.5, 0.25, 1};
  write_image(folder / "a.nrrd", HardImage(24, 1), header);
  const Header back = read_header(folder / "a.nrrd");
  EXPECT_EQ(back.grid, header.grid);
  EXPECT_FALSE(back.positioned);
}

TEST(NrrdWrite, RefusesANameThatAHeaderCannotHold) {
  const Folder folder;
  EXPECT_THROW(write_image(folder / "a%d.nhdr", HardImage(24),
                           read_header(folder.put("r.nrrd", sound_nrrd().bytes()))),
               UsageError);
}

TEST(NrrdGeometry, RefusesWhatContradictsTheDirections) {
  EXPECT_TRUE(has(refused_axes({{"spacings", "1 1 2"}}),
                  "states space directions '(1,0,0) (0,1,0) (0,0,1)', but also spacings '1 1 2'"));
  EXPECT_TRUE(has(refused_axes({{"spacings", "1 1"}}), "for 3 axes"));
  EXPECT_EQ(refused_axes({{"spacings", "1 1.00001 1"}}), "");
  EXPECT_EQ(refused_axes({{"spacings", "nan NaN nan"}}), "");
  for (const std::string ends : {"axis mins", "axis maxs"}) {
    EXPECT_TRUE(has(refused_axes({{ends, "nan 0 nan"}}), "but also " + ends + " 'nan 0 nan'"));
    EXPECT_EQ(refused_axes({{ends, "nan nan nan"}}), "");
  }
  const std::vector<Entry> list{{"dimension", "4"},
                                {"sizes", "1 4 3 2"},
                                {"space directions", "none (1,0,0) (0,1,0) (0,0,1)"},
                                {"kinds", "list domain domain domain"}};
  auto with = list;
  with.push_back({"spacings", "7 nan nan nan"});
  EXPECT_EQ(refused_axes(with), "");
}

TEST(NrrdGeometry, RefusesOtherFieldsThatContradictEachOther) {
  EXPECT_TRUE(has(refused_axes({{"number", "25"}}), "states sizes '4 3 2', but also number '25'"));
  EXPECT_TRUE(has(refused_axes({{"number", "many"}}), "number 'many'"));
  EXPECT_EQ(refused_axes({{"number", "24"}}), "");
  EXPECT_EQ(refused_axes({{"space dimension", "3"}}), "");
  const Folder folder;
  Lines file = sound_nrrd();
  file.drop("space directions").drop("space origin").set("space dimension", "2");
  EXPECT_TRUE(has(refusal(folder.put("a.nrrd", file.bytes())), "space dimension '2', which contradicts it"));
  file.drop("space").drop("space dimension").set("spacings", "2 3 4").set("axis mins", "0 0 0");
  const auto with = [&](const std::string& ends) {
    return refusal(folder.put("a.nrrd", file.set("axis maxs", ends).bytes()));
  };
  EXPECT_EQ(with("8 9 8"), "");
  EXPECT_EQ(with("6 6 4"), "");
  EXPECT_TRUE(has(with("8 9 9"), "states spacings '2 3 4', but also axis maxs '8 9 9'"));
}

TEST(NrrdGeometry, IsMeasuredWhereItStatesASpacingInKnownUnits) {
  EXPECT_TRUE(header_with({}).measured);
  EXPECT_TRUE(header_with({{"space units", "\"cm\" \"cm\" \"cm\""}}).measured);
  EXPECT_FALSE(header_with({{"space units", "\"ells\" \"ells\" \"ells\""}}).measured);
  const Folder folder;
  Lines file = sound_nrrd();
  file.drop("space").drop("space directions").drop("space origin");
  EXPECT_FALSE(read_header(folder.put("a.nrrd", file.bytes())).measured);
  EXPECT_TRUE(read_header(folder.put("a.nrrd", file.set("spacings", "1 1 1").bytes())).measured);
  EXPECT_FALSE(read_header(folder.put("a.nrrd", file.set("spacings", "1 nan 1").bytes())).measured);
}

}  // namespace
}  // namespace crema::files::testing
