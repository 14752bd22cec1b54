// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/spacing.h"

#include "files/tiff/testing.h"

namespace crema::files::testing {
namespace {

using Spacing = std::array<double, 3>;

Spacing spacing(double across, double down, int unit, const std::string& description = "",
                std::size_t pages = 1) {
  return tiff_spacing({across, down, unit, description}, pages, "a.tif").millimetres;
}

std::string refused_spacing(const std::string& description, std::size_t pages) {
  try {
    check_description(description, pages, "a.tif");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TiffSpacing, ComesFromInchesAndCentimetres) {
  EXPECT_EQ(spacing(100, 50, 3), (Spacing{0.1, 0.2, 1}));
  EXPECT_EQ(spacing(25.4, 254, 2), (Spacing{1, 0.1, 1}));
  EXPECT_EQ(spacing(static_cast<double>(10 / 0.7F), 20, 3), (Spacing{0.7, 0.5, 1}));
}

TEST(TiffSpacing, ComesFromImageJWhereThereIsNoUnit) {
  EXPECT_EQ(spacing(4, 2, 1, "ImageJ=1.53\nimages=2\nunit=mm\nspacing=3.5\n", 2), (Spacing{0.25, 0.5, 3.5}));
  EXPECT_EQ(spacing(4, 2, 1, "ImageJ=1.53\nunit=micron\n"), (Spacing{0.00025, 0.0005, 1}));
  EXPECT_EQ(spacing(4, 2, 1, "ImageJ=1.53\nunit=\\u00B5m\nspacing=2\n", 2),
            (Spacing{0.00025, 0.0005, 0.002}));
  EXPECT_EQ(spacing(4, 2, 3, "ImageJ=1.53\nunit=cm\nspacing=0.3\n", 2), (Spacing{2.5, 5, 3}));
}

TEST(TiffSpacing, IsOneWhereNothingSensibleIsSaid) {
  EXPECT_EQ(spacing(0, 0, 3), (Spacing{1, 1, 1}));
  EXPECT_EQ(spacing(-3, 1e30, 3), (Spacing{1, 1, 1}));
  EXPECT_EQ(spacing(72, 72, 1), (Spacing{1, 1, 1}));
  EXPECT_EQ(spacing(72, 72, 7), (Spacing{1, 1, 1}));
  EXPECT_EQ(spacing(10, 10, 3, "ImageJ=1\nspacing=nan\n", 2), (Spacing{1, 1, 1}));
  EXPECT_EQ(spacing(4, 2, 1, "ImageJ=1\nunit=furlong\nspacing=3\n", 2), (Spacing{1, 1, 1}));
}

TEST(TiffSpacing, NotesWhenTheDistanceOfPagesIsNotSaid) {
  EXPECT_TRUE(
      any_has(tiff_spacing({10, 10, 3, ""}, 2, "a.tif").warnings, "a.tif: does not state the distance"));
  EXPECT_TRUE(tiff_spacing({10, 10, 3, ""}, 1, "a.tif").warnings.empty());
}

TEST(TiffSpacing, DescriptionsOfMoreThanThereIsAreRefused) {
  EXPECT_EQ(refused_spacing("ImageJ=1.53\nimages=3\nslices=3\n", 3), "");
  EXPECT_TRUE(has(refused_spacing("ImageJ=1.53\nimages=3\n", 1), "states 3 images, but has 1 page"));
  EXPECT_TRUE(has(refused_spacing("ImageJ=1.53\nimages=6\nchannels=2\nslices=3\n", 6), "2 channels"));
  EXPECT_TRUE(has(refused_spacing("ImageJ=1.53\r\nimages=6\r\nframes=6\r\n", 6), "6 points in time"));
  EXPECT_TRUE(
      has(refused_spacing("<OME><Pixels SizeX=\"4\" SizeC=\"3\" SizeT=\"1\"/></OME>", 3), "3 channels"));
  EXPECT_EQ(refused_spacing("<OME><Pixels SizeX=\"4\" SizeC=\"1\" SizeT=\"1\"/></OME>", 3), "");
  EXPECT_TRUE(has(refused_spacing("{\"shape\": [3, 4, 5], \"truncated\": true}", 1), "slices have no page"));
  EXPECT_EQ(refused_spacing("images=3 of my cat", 1), "");
}

TEST(TiffSpacing, IsReadFromTheFile) {
  TiffMade result = sound_tiff();
  result.pages[0].set(282, {100, 2}, 5).set(283, {40, 1}, 5).set(296, {3}, 3);
  result.pages.push_back(result.pages[0]);
  result.pages[0].tags[270] = tiff_text("ImageJ=1.53\nimages=2\nslices=2\nunit=cm\nspacing=0.3\n");
  const Folder folder;
  const Header header = read_header(folder.put("a.tif", result.bytes()));
  EXPECT_EQ(header.grid.spacing, (Spacing{0.2, 0.25, 3}));
  EXPECT_TRUE(header.warnings.empty());
  result.pages.resize(1);
  EXPECT_TRUE(has(refusal(folder.put("a.tif", result.bytes())), "2 images"));
}

}  // namespace
}  // namespace crema::files::testing
