// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/steps.h"

#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

/// What becomes of frames of one segment at these positions; "" stands for none that is stated.
std::string reported_of(const std::string& between, const std::vector<TestFrame>& frames,
                        const std::string& thick = "", const ReadOptions& options = {}) {
  const Folder folder;
  SegFile file = sound_seg();
  file.between(between, thick).segments({{1, "a"}, {2, "b"}});
  file.frames(frames).pixels(Bytes((6 * frames.size() + 7) / 8));
  const auto path = folder.put("a.dcm", file.bytes());
  try {
    const Header header = read_headers(path, options).front();
    return std::to_string(header.grid.size[2]) + (header.warnings.empty() ? "" : header.warnings[0].text());
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(DicomSteps, TheStatedSpacingIsTheLattice) {
  EXPECT_EQ(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\2"}, {2, "0\\0\\10"}}), "6");
  EXPECT_EQ(reported_of("5", {{1, "0\\0\\0"}, {2, "0\\0\\0"}}), "1");
}

TEST(DicomSteps, WithoutOneTheSmallestGapOfASegmentIs) {
  EXPECT_TRUE(has(reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\3"}, {1, "0\\0\\9"}}), "smallest"));
  // Each segment on a lattice of its own.
  const std::string two =
      reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\3"}, {2, "0\\0\\1.5"}, {2, "0\\0\\4.5"}});
  EXPECT_TRUE(has(two, "two images")) << two;
}

/// With the image named that was segmented: one with slices so far apart, turned as may be.
ReadOptions beside(std::array<double, 3> spacing, const std::array<double, 9>& direction) {
  auto like = std::make_shared<Header>();
  like->positioned = true;
  like->grid.size = {9, 9, 9};
  like->grid.spacing = spacing;
  like->grid.direction = direction;
  ReadOptions options;
  options.like = like;
  return options;
}

TEST(DicomSteps, SlicesOfTheImageThatIsNamedAreTheLattice) {
  const ReadOptions upright = beside({1, 1, 2.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const ReadOptions turned = beside({2.5, 1, 1}, {0, 1, 0, 0, 0, 1, -1, 0, 0});
  for (const ReadOptions& options : {upright, turned}) {
    EXPECT_EQ(reported_of("", {{1, "0\\0\\5"}, {1, "0\\0\\10"}, {1, "0\\0\\15"}}, "5", options), "5");
    EXPECT_EQ(reported_of("", {{1, "0\\0\\5"}, {1, "0\\0\\10"}, {1, "0\\0\\17.5"}}, "", options), "6");
    EXPECT_EQ(reported_of("5", {{1, "0\\0\\5"}, {1, "0\\0\\10"}}, "", options), "2");
  }
  // Of another image; nothing is known then.
  EXPECT_TRUE(has(reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\3"}}, "", upright), "2"));
}

TEST(DicomSteps, OneSliceAloneIsAsThickAsThoseOfItsImage) {
  const ReadOptions options = beside({1, 1, 2.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const Folder folder;
  SegFile file = sound_seg();
  file.between("", "5").frames({{1, "0\\0\\5"}}).pixels({0, 0});
  const auto path = folder.put("a.dcm", file.bytes());
  EXPECT_EQ(read_header(path, options).grid.spacing[2], 2.5);
  EXPECT_EQ(read_header(path).grid.spacing[2], 5);
}

TEST(DicomSteps, SlicesLieAsFarApartAsTheyAreThickWhereAllGapsAreMultiples) {
  const std::string sparse = reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\5"}, {1, "0\\0\\12.5"}}, "2.5");
  EXPECT_TRUE(sparse.starts_with("6") && has(sparse, "their thickness, 2.5 mm, is used")) << sparse;
  EXPECT_EQ(reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\2.5"}, {1, "0\\0\\7.5"}}, "2.5"), "4");
  // Thick slices that overlap, and slices with gaps between them.
  EXPECT_TRUE(has(reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\2.5"}}, "5"), "smallest"));
  EXPECT_TRUE(has(reported_of("", {{1, "0\\0\\0"}, {1, "0\\0\\3.3"}}, "3"), "smallest"));
}

TEST(DicomSteps, GapsThatAreNoMultipleAreRefused) {
  EXPECT_TRUE(has(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\2"}, {1, "0\\0\\5"}}), "2 mm apart"));
  EXPECT_TRUE(
      has(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\2"}, {1, "3\\0\\4"}, {1, "0\\0\\6"}}), "lattice"));
  EXPECT_TRUE(has(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\1e8"}, {1, "0\\0\\9e9"}}), "damaged"));
}

TEST(DicomSteps, SmallDeviationsAreToldAndTinyOnesAreNot) {
  EXPECT_EQ(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\2.0001"}, {1, "0\\0\\4"}}), "3");
  EXPECT_TRUE(
      has(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0.01\\2"}, {1, "0\\0\\4"}}), "voxels off their lattice"));
}

TEST(DicomSteps, TwoFramesInOnePlaceAreRefused) {
  EXPECT_TRUE(has(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\2"}, {1, "0\\0\\2"}}), "frames 2 and 3"));
}

TEST(DicomSteps, SlicesThatAreStatedButNowhereThereAreTold) {
  EXPECT_TRUE(has(reported_of("2", {{1, "0\\0\\0"}, {1, "0\\0\\6"}}), "treated as empty"));
}

TEST(DicomSteps, ALeaningStackKeepsItsShear) {
  const Folder folder;
  SegFile file = sound_seg();
  file.frames({{1, "0\\0\\0"}, {1, "0\\1\\2"}});
  const Grid grid = read_header(folder.put("a.dcm", file.bytes())).grid;
  EXPECT_NEAR(grid.direction[5] * grid.spacing[2], -1, 1e-12);
  EXPECT_NEAR(grid.direction[8] * grid.spacing[2], 2, 1e-12);
}

}  // namespace
}  // namespace crema::files::testing
