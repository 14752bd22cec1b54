// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/ome.h"

#include "files/tiff/spacing.h"
#include "files/tiff/testing.h"

namespace crema::files::testing {
namespace {

using Spacing = std::array<double, 3>;

std::string ome(const std::string& attributes) {
  return "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image><Pixels ID=\"Pixels:0\" " + attributes +
         "><Channel/></Pixels></Image></OME>";
}

TiffSpacing spacing(const std::string& attributes, std::size_t pages = 2, double resolution = 0) {
  return tiff_spacing({resolution, resolution, 3, ome(attributes)}, pages, "a.tif");
}

TEST(Ome, PhysicalSizesAreInMicrometresUnlessSaid) {
  const TiffSpacing read = spacing("PhysicalSizeX=\"0.325\" PhysicalSizeY='650' PhysicalSizeZ = \"2\"");
  EXPECT_EQ(read.millimetres, (Spacing{0.000325, 0.65, 0.002}));
  EXPECT_TRUE(read.measured);
  EXPECT_TRUE(read.warnings.empty());
}

TEST(Ome, KnowsTheUnitsOfLength) {
  const auto in = [](const std::string& unit) {
    return spacing("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"" + unit + "\" PhysicalSizeY=\"1\"", 1)
        .millimetres[0];
  };
  EXPECT_EQ(in("nm"), 2e-6);
  for (const std::string micro : {"\xC2\xB5m", "\xCE\xBCm", "&#181;m", "&#xB5;m", "um"})
    EXPECT_EQ(in(micro), 0.002);
  EXPECT_EQ(in("mm"), 2);
  EXPECT_EQ(in("cm"), 20);
  EXPECT_EQ(in("m"), 2000);
}

TEST(Ome, UnitsThatAreNotKnownMeasureNothing) {
  for (const std::string unit : {"pixel", "reference frame", "furlong"}) {
    const TiffSpacing read =
        spacing("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"" + unit + "\" PhysicalSizeY=\"1\"", 1);
    EXPECT_FALSE(read.measured);
    EXPECT_EQ(read.millimetres[0], 1);
    EXPECT_TRUE(any_has(read.warnings, "states PhysicalSizeX in '" + unit + "'"));
  }
}

TEST(Ome, WhatIsMissingIsNotMeasured) {
  EXPECT_FALSE(spacing("PhysicalSizeX=\"2\" PhysicalSizeY=\"2\"", 2).measured);
  EXPECT_TRUE(spacing("PhysicalSizeX=\"2\" PhysicalSizeY=\"2\"", 1).measured);
  EXPECT_FALSE(spacing("PhysicalSizeX=\"2\"", 1).measured);
  EXPECT_FALSE(spacing("PhysicalSizeX=\"0\" PhysicalSizeY=\"-2\"", 1).measured);
  EXPECT_FALSE(spacing("PhysicalSizeX=\"nan\" PhysicalSizeY=\"2\"", 1).measured);
  EXPECT_FALSE(spacing("MyPhysicalSizeX=\"2\" PhysicalSizeY=\"2\"", 1).measured);
  EXPECT_FALSE(tiff_spacing({0, 0, 3, "<OME"}, 1, "a.tif").measured);
  EXPECT_FALSE(
      tiff_spacing({0, 0, 3, "Pixels PhysicalSizeX=\"2\" PhysicalSizeY=\"2\""}, 1, "a.tif").measured);
}

TEST(Ome, GoesBeforeTheResolutionWithAWarningWhereTheyDiffer) {
  const std::string two = "PhysicalSizeX=\"2000\" PhysicalSizeY=\"2000\"";
  EXPECT_EQ(spacing(two, 1, 5).millimetres, (Spacing{2, 2, 1}));
  EXPECT_TRUE(spacing(two, 1, 5).warnings.empty());
  EXPECT_EQ(spacing(two, 1, 72).millimetres, (Spacing{2, 2, 1}));
  EXPECT_TRUE(any_has(spacing(two, 1, 72).warnings, "its OME description says 2 mm along axis 1"));
}

TEST(Ome, AnotherNumberOfSlicesIsRefused) {
  const auto refused = [](const std::string& attributes, std::size_t pages) -> std::string {
    try {
      check_description(ome(attributes), pages, "a.tif");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(has(refused("SizeZ=\"5\" SizeC=\"1\" SizeT=\"1\"", 3), "states 5 images, but has 3 pages"));
  EXPECT_EQ(refused("SizeZ=\"3\" SizeC=\"1\" SizeT=\"1\"", 3), "");
  EXPECT_TRUE(has(refused("SizeZ=\"3\" SizeC=\"2\" SizeT=\"1\"", 6), "2 channels"));
}

TEST(Tiff, IsMeasuredWhereAllOfItsSizesAreStated) {
  const Folder folder;
  TiffMade result = sound_tiff();
  const auto measured = [&] { return read_header(folder.put("a.tif", result.bytes())).measured; };
  EXPECT_FALSE(measured());
  result.pages[0].set(282, {10, 1}, 5).set(296, {3}, 3);
  EXPECT_FALSE(measured());
  result.pages[0].set(283, {10, 1}, 5);
  EXPECT_TRUE(measured());
  result.pages[0].set(296, {1}, 3);
  EXPECT_FALSE(measured());
  result.pages[0].set(296, {2}, 3);
  result.pages.push_back(result.pages[0]);
  EXPECT_FALSE(measured());
  result.pages[0].tags[270] = tiff_text(ome("SizeZ=\"2\" PhysicalSizeZ=\"3\" PhysicalSizeZUnit=\"mm\""));
  EXPECT_TRUE(measured());
}

TEST(Tiff, WhatIsNotMeasuredIsNotWrittenAsMeasured) {
  const Folder folder;
  const Header header = read_header(folder.put("a.tif", sound_tiff().bytes()));
  for (const std::string name : {"b.tif", "b.nii.gz", "b.nrrd", "b.mha"}) {
    write_image(folder / name, HardImage(kTiffMask), header);
    EXPECT_FALSE(read_header(folder / name).measured) << name;
  }
  TiffMade result = sound_tiff();
  result.pages[0].set(282, {10, 1}, 5).set(283, {10, 1}, 5).set(296, {3}, 3);
  const Header known = read_header(folder.put("c.tif", result.bytes()));
  for (const std::string name : {"d.tif", "d.nii.gz", "d.nrrd", "d.mha"}) {
    write_image(folder / name, HardImage(kTiffMask), known);
    EXPECT_TRUE(read_header(folder / name).measured) << name;
  }
}

}  // namespace
}  // namespace crema::files::testing
