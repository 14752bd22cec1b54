// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/segments.h"

#include <gtest/gtest.h>

#include "files/io/text_testing.h"

namespace crema::files::testing {
namespace {

struct Keys {
  std::string id, name, layer, label;
};

/// A segmentation of 2×2×1 voxels with these keys; what is empty is left out.
Lines segmentation(const std::vector<Keys>& segments, const std::vector<int>& voxels, int layers = 1,
                   const std::string& more = "") {
  Lines file = sound_nrrd();
  file.set("sizes", "2 2 1").voxels = Bytes(voxels.begin(), voxels.end());
  if (layers > 1) {
    file.set("dimension", "4").set("sizes", std::to_string(layers) + " 2 2 1");
    file.set("space directions", "none (1,0,0) (0,1,0) (0,0,1)").set("kinds", "list domain domain domain");
  }
  std::string pairs;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string prefix = "\nSegment" + std::to_string(i) + "_";
    const Keys& keys = segments[i];
    pairs += prefix + "ID:=" + keys.id;
    if (!keys.name.empty()) pairs += prefix + "Name:=" + keys.name;
    if (!keys.layer.empty()) pairs += prefix + "Layer:=" + keys.layer;
    if (!keys.label.empty()) pairs += prefix + "LabelValue:=" + keys.label;
  }
  file.first += pairs + more;
  return file;
}

std::string geometry(const std::string& matrix, const std::string& extent) {
  return "\nSegmentation_ConversionParameters:=Smoothing|0.5|x&Reference image geometry|" + matrix + extent +
         "|Image geometry&";
}

const std::string kAtThree = "1;0;0;3;0;1;0;4;0;0;1;6;0;0;0;1;";

std::string refused_segments(const Lines& file) {
  const Folder folder;
  try {
    read_headers(folder.put("a.seg.nrrd", file.bytes()));
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), "a.seg.nrrd")) << error.what();
    return error.what();
  }
  return "";
}

TEST(SegNrrd, SegmentsOfOneLayerAreRatersByTheirLabels) {
  const Folder folder;
  const auto path = folder.put(
      "a.seg.nrrd", segmentation({{"s1", "Ann", "0", "2"}, {"s2", "Bo", "0", "1"}}, {0, 1, 2, 2}).bytes());
  const std::vector<Header> headers = read_headers(path);
  ASSERT_EQ(headers.size(), 2u);
  EXPECT_EQ(headers[0].format, Format::seg_nrrd);
  EXPECT_EQ(rater_name(headers[0]), path.string() + "#Ann");
  EXPECT_EQ(headers[1].name, "Bo");
  EXPECT_EQ(read_mask(headers[0]).voxels, (Bytes{0, 0, 1, 1}));
  EXPECT_EQ(read_mask(headers[1]).voxels, (Bytes{0, 1, 0, 0}));
  EXPECT_EQ(read_map(headers[1]).levels, (SoftImage{0, 1, 0, 0}));
}

TEST(SegNrrd, LayersLetSegmentsOverlap) {
  const Folder folder;
  const auto path = folder.put(
      "a.seg.nrrd", segmentation({{"s1", "Ann", "0", "1"}, {"s2", "Bo", "1", "1"}, {"s3", "Cy", "1", "2"}},
                                 {0, 1, 1, 1, 1, 2, 0, 0}, 2)
                        .bytes());
  const std::vector<Header> headers = read_headers(path);
  ASSERT_EQ(headers.size(), 3u);
  EXPECT_EQ(headers[0].grid.size, (std::array{2, 2, 1}));
  EXPECT_EQ(read_mask(headers[0]).voxels, (Bytes{0, 1, 1, 0}));
  EXPECT_EQ(read_mask(headers[1]).voxels, (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(read_mask(headers[2]).voxels, (Bytes{0, 0, 1, 0}));
}

TEST(SegNrrd, FilesFromBeforeSharedLayersHaveOneLayerPerSegment) {
  const Folder folder;
  const auto path = folder.put(
      "a.seg.nrrd",
      segmentation({{"s1", "Ann", "", ""}, {"s2", "", "", ""}}, {0, 1, 1, 1, 1, 0, 0, 0}, 2).bytes());
  const std::vector<Header> headers = read_headers(path);
  EXPECT_EQ(read_mask(headers[0]).voxels, (Bytes{0, 1, 1, 0}));
  EXPECT_EQ(read_mask(headers[1]).voxels, (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(headers[1].name, "s2");
}

TEST(SegNrrd, OneHeaderIsReadOnlyFromOneSegment) {
  const Folder folder;
  const auto one = folder.put("a.seg.nrrd", segmentation({{"s1", "Ann", "0", "3"}}, {0, 3, 3, 0}).bytes());
  EXPECT_EQ(voxels_of(one), (Bytes{0, 1, 1, 0}));
  const auto two = folder.put(
      "b.seg.nrrd", segmentation({{"s1", "Ann", "0", "1"}, {"s2", "Bo", "0", "2"}}, {0, 1, 2, 0}).bytes());
  EXPECT_TRUE(has(refusal(two), "2 segments (Ann, Bo)"));
}

TEST(SegNrrd, SegmentsAreToldByNumberNotByOrderOfLines) {
  const Folder folder;
  Lines file = segmentation({}, {0, 1, 2, 0});
  file.first +=
      "\nSegment10_ID:=z\nSegment10_LabelValue:=2\nSegment2_ID:=b\nSegmentation_ID:=no\nSegmentX_ID:=no";
  const std::vector<Header> headers = read_headers(folder.put("a.seg.nrrd", file.bytes()));
  ASSERT_EQ(headers.size(), 2u);
  EXPECT_EQ(headers[0].name, "b");
  EXPECT_EQ(headers[1].name, "z");
}

TEST(SegNrrd, RefusesSegmentsThatCannotBeToldApart) {
  EXPECT_TRUE(has(refused_segments(segmentation({{"s", "A", "0", "1"}, {"s", "B", "0", "2"}}, {0, 1, 2, 0})),
                  "two segments with the id 's'"));
  EXPECT_TRUE(has(refused_segments(segmentation({{"s", "A", "0", "1"}, {"t", "B", "0", "1"}}, {0, 1, 2, 0})),
                  "share layer 0 and label value 1"));
  EXPECT_TRUE(has(refused_segments(segmentation({{"s", "A", "0", "0"}}, {0, 1, 2, 0})), "label value 0"));
  EXPECT_TRUE(
      has(refused_segments(segmentation({{"s", "A", "1", "1"}}, {0, 1, 2, 0})), "layer 1, but there are 1"));
  EXPECT_TRUE(has(refused_segments(segmentation({{"s", "A", "-1", "1"}}, {0, 1, 2, 0})), "layer -1"));
  EXPECT_TRUE(
      has(refused_segments(segmentation({{"s", "A", "x", "1"}}, {0, 1, 2, 0})), "not a whole number"));
  EXPECT_TRUE(has(refused_segments(segmentation({{"s", "A", "0", "1"}}, {0, 1, 2, 0}, 1, "\nSegment0_ID:=t")),
                  "Segment0_ID twice"));
}

TEST(SegNrrd, ACropIsPaddedToTheImageItWasDrawnOn) {
  const Folder folder;
  const Lines file = segmentation({{"s", "A", "0", "1"}, {"t", "B", "0", "2"}}, {1, 2, 1, 1}, 1,
                                  geometry(kAtThree, "0;4;0;3;0;1;"));
  const std::vector<Header> headers = read_headers(folder.put("a.seg.nrrd", file.bytes()));
  EXPECT_EQ(headers[0].grid.size, (std::array{5, 4, 2}));
  EXPECT_EQ(headers[0].grid.origin, (Vec{3, 4, 6}));
  EXPECT_TRUE(any_has(headers[0].warnings, "at voxel (2, 2, 1) of the image it was drawn on"));
  EXPECT_TRUE(headers[1].warnings.empty()) << "what is true of the file is said once";
  Bytes expected(40);
  for (const int i : {2 + 5 * 2 + 20, 2 + 5 * 3 + 20, 3 + 5 * 3 + 20})
    expected[static_cast<std::size_t>(i)] = 1;
  EXPECT_EQ(read_mask(headers[0]).voxels, expected);
}

TEST(SegNrrd, AnExtentMayStartAnywhere) {
  const Folder folder;
  const Lines file =
      segmentation({{"s", "A", "0", "1"}}, {1, 0, 0, 0}, 1, geometry(kAtThree, "1;4;2;5;-1;1;"));
  const Header header = read_header(folder.put("a.seg.nrrd", file.bytes()));
  EXPECT_EQ(header.grid.size, (std::array{4, 4, 3}));
  EXPECT_EQ(header.grid.origin, (Vec{4, 6, 5}));
}

TEST(SegNrrd, AnImageThatDoesNotFitIsNotUsed) {
  const Folder folder;
  for (const std::string extent :
       {"0;1;0;3;0;1;", "0;4;0;3;0;0;", "3;9;0;3;0;1;", "0;4;0;3;0;", "0;nan;0;3;0;1;"}) {
    const Lines file = segmentation({{"s", "A", "0", "1"}}, {1, 0, 0, 0}, 1, geometry(kAtThree, extent));
    EXPECT_EQ(read_header(folder.put("a.seg.nrrd", file.bytes())).grid.size, (std::array{2, 2, 1})) << extent;
  }
  for (const std::string matrix : {"2;0;0;3;0;1;0;4;0;0;1;6;0;0;0;1;", "1;0;0;3.4;0;1;0;4;0;0;1;6;0;0;0;1;",
                                   "0;0;0;3;0;1;0;4;0;0;1;6;0;0;0;1;"}) {
    const Lines file =
        segmentation({{"s", "A", "0", "1"}}, {1, 0, 0, 0}, 1, geometry(matrix, "0;4;0;3;0;1;"));
    EXPECT_EQ(read_header(folder.put("a.seg.nrrd", file.bytes())).grid.size, (std::array{2, 2, 1})) << matrix;
  }
}

TEST(SegNrrd, OneVoxelOfBackgroundIsAnEmptyRaterOnAnyGrid) {
  const Folder folder;
  Lines file = segmentation({{"s", "A", "0", "1"}}, {0});
  const Header blank = read_header(folder.put("a.seg.nrrd", file.set("sizes", "1 1 1").bytes()));
  EXPECT_TRUE(blank.blank);
  const Header first = read_header(folder.put("first.nrrd", sound_nrrd().bytes()));
  const Placement placement = place(first, blank);
  EXPECT_TRUE(any_has(placement.warnings, "it is empty"));
  EXPECT_EQ(apply(placement, first.grid, blank.grid, read_mask(blank).voxels), Bytes(24));
  file.voxels = {1};
  EXPECT_FALSE(read_header(folder.put("b.seg.nrrd", file.bytes())).blank);
}

TEST(SegNrrd, OptionsForValuesAreNotUsedAndThatIsSaid) {
  const Folder folder;
  const auto path = folder.put("a.seg.nrrd", segmentation({{"s", "A", "0", "2"}}, {0, 2, 0, 0}).bytes());
  const ReadOptions label{.threshold = {}, .label = 7, .max_memory = 0};
  EXPECT_EQ(voxels_of(path, label), (Bytes{0, 1, 0, 0}));
  EXPECT_TRUE(any_has(warnings_of(path, label), "label is not used"));
}

TEST(SegNrrdWrite, WritesOneNamedColouredSegment) {
  const Folder folder;
  const Header reference = read_header(folder.put("a.nrrd", sound_nrrd().bytes()));
  const auto path = folder / "consensus.seg.nrrd";
  write_image(path, HardImage(sound_mask()), reference);
  const Header back = read_header(path);
  EXPECT_EQ(back.format, Format::seg_nrrd);
  EXPECT_EQ(back.name, "consensus");
  EXPECT_EQ(back.grid, reference.grid);
  EXPECT_TRUE(back.warnings.empty());
  EXPECT_EQ(read_mask(back).voxels, sound_mask());
  const NrrdHeader header = parse_nrrd(Source(path));
  for (const std::string key :
       {"Segment0_ID", "Segment0_Name", "Segment0_NameAutoGenerated", "Segment0_Color",
        "Segment0_ColorAutoGenerated", "Segment0_Extent", "Segment0_LabelValue", "Segment0_Layer",
        "Segment0_Tags", "Segmentation_ContainedRepresentationNames", "Segmentation_ConversionParameters",
        "Segmentation_MasterRepresentation", "Segmentation_SourceRepresentation",
        "Segmentation_ReferenceImageExtentOffset"})
    EXPECT_TRUE(find_entry(header.pairs, key)) << key;
  EXPECT_EQ(find_entry(header.pairs, "Segment0_Extent"), "1 3 1 2 0 1");
  EXPECT_EQ(header.field("space"), "left-posterior-superior");
}

TEST(SegNrrdWrite, AnEmptyConsensusHasAnEmptyExtent) {
  const Folder folder;
  const Header reference = read_header(folder.put("a.nrrd", sound_nrrd().bytes()));
  write_image(folder / "b.seg.nrrd", HardImage(24), reference);
  EXPECT_EQ(find_entry(parse_nrrd(Source(folder / "b.seg.nrrd")).pairs, "Segment0_Extent"), "0 -1 0 -1 0 -1");
  EXPECT_EQ(voxels_of(folder / "b.seg.nrrd"), Bytes(24));
}

TEST(SegNrrdWrite, LevelsAreRefusedWithTheFix) {
  const Folder folder;
  const Header reference = read_header(folder.put("a.nrrd", sound_nrrd().bytes()));
  try {
    write_image(folder / "b.seg.nrrd", SoftImage(24), reference);
    FAIL() << "levels were written";
  } catch (const UsageError& error) {
    EXPECT_TRUE(has(error.what(), "make a mask of them first")) << error.what();
  }
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(SegNrrdWrite, AllTurnsOfTheAxesGiveTheSameVoxels) { expect_all_turns(".seg.nrrd"); }

}  // namespace
}  // namespace crema::files::testing
