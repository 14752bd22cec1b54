// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/dicom.h"

#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

using namespace dicom;  // the names of tags

std::string why_dicom(const SegFile& file, const ReadOptions& options = {}) {
  const Folder folder;
  return refusal(folder.put("a.dcm", file.bytes()), options);
}

Bytes labels_of(const Header& header, std::int64_t layer) {
  Bytes all(static_cast<std::size_t>(header.grid.voxels()));
  ReadOptions options;
  options.layer = layer;
  stream_labels(header, options, [&](std::int64_t first, std::span<const std::uint16_t> part) {
    for (std::size_t i = 0; i < part.size(); ++i)
      all[static_cast<std::size_t>(first) + i] = static_cast<std::uint8_t>(part[i]);
  });
  return all;
}

TEST(Dicom, BitsRunOnFromFrameToFrame) {
  const Folder folder;
  const auto path = folder.put("a.dcm", sound_seg().bytes());
  EXPECT_EQ(voxels_of(path), (Bytes{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}));
  const Header header = read_header(path);
  EXPECT_EQ(header.format, Format::dicom);
  EXPECT_EQ(header.name, "liver");
  EXPECT_EQ(header.grid.size, (std::array{3, 2, 2}));
  EXPECT_EQ(header.grid.spacing, (std::array{0.25, 0.5, 2.0}));
  EXPECT_EQ(header.grid.origin, (std::array{-10.0, -20.0, 30.0}));
  EXPECT_EQ(header.grid.direction, (std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1}));
  EXPECT_TRUE(header.positioned && header.measured && header.warnings.empty());
}

TEST(Dicom, SlicesAreSortedAlongTheNormalAndMissingOnesAreEmpty) {
  const Folder folder;
  SegFile file = sound_seg();
  file.frames({{1, "10\\20\\36"}, {1, "10\\20\\30"}});
  const auto path = folder.put("a.dcm", file.bytes());
  EXPECT_EQ(read_header(path).grid.size[2], 4);
  Bytes wanted(24);
  wanted[1] = wanted[18] = wanted[23] = 1;
  EXPECT_EQ(voxels_of(path), wanted);
}

TEST(Dicom, SegmentsMayOverlapAndEachIsALayer) {
  const Folder folder;
  SegFile file = sound_seg();
  file.segments({{1, "liver"}, {7, "tumour"}}).frames({{1, "10\\20\\30"}, {7, "10\\20\\30"}});
  const auto headers = read_headers(folder.put("a.dcm", file.bytes()));
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(headers[1].segments[1].value, 7);
  EXPECT_EQ(read_mask(headers[1]).voxels, (Bytes{0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(labels_of(headers[0], 1), (Bytes{0, 7, 0, 0, 0, 0}));
  EXPECT_TRUE(has(why_dicom(file), "2 segments (liver, tumour)"));
}

TEST(Dicom, FractionsAreLevelsAndNeedAThreshold) {
  const Folder folder;
  SegFile file = sound_bytes("FRACTIONAL", {0, 57, 100, 58, 0, 0, 0, 0, 0, 0, 0, 100});
  file.set(kMaximumFraction, 100);
  const auto path = folder.put("a.dcm", file.bytes());
  EXPECT_TRUE(has(refusal(path), "probability map"));
  EXPECT_EQ(voxels_of(path, threshold(0.57)), (Bytes{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_FLOAT_EQ(read_map(read_header(path)).levels[1], 0.57F);
  EXPECT_THROW(labels_of(read_header(path), 0), InputError);
}

TEST(Dicom, FractionsOfAllOrNothingAreAMask) {
  const Folder folder;
  for (int most = 1; most <= 255; ++most) {
    Bytes pixels(12);
    pixels[4] = static_cast<std::uint8_t>(most);
    SegFile file = sound_bytes("FRACTIONAL", pixels);
    const auto path = folder.put("a.dcm", file.set(kMaximumFraction, most).bytes());
    EXPECT_EQ(voxels_of(path), (Bytes{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})) << most;
    EXPECT_TRUE(warnings_of(path).empty()) << most;
  }
}

TEST(Dicom, LabelMapsHoldSegmentsByValue) {
  const Folder folder;
  SegFile file = sound_bytes("LABELMAP", {0, 1, 2, 2, 0, 0, 0, 0, 0, 0, 1, 0});
  file.segments({{0, "background"}, {1, "liver"}, {2, "tumour"}})
      .frames({{0, "10\\20\\30"}, {0, "10\\20\\32"}});
  const auto headers = read_headers(folder.put("a.dcm", file.bytes()));
  ASSERT_EQ(headers.size(), 2U);
  EXPECT_EQ(read_mask(headers[1]).voxels, (Bytes{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(labels_of(headers[0], 0), (Bytes{0, 1, 2, 2, 0, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_TRUE(has(why_dicom(file.segments({{1, "liver"}})), "label 2"));
}

TEST(Dicom, WhatHasNoPlaceIsFlat) {
  const Folder folder;
  SegFile file = sound_seg();
  file.elements.erase(kSharedGroups);
  file.frames({{1, ""}}).pixels({0b101, 0});
  const Header header = read_header(folder.put("a.dcm", file.bytes()));
  EXPECT_TRUE(!header.positioned && !header.measured && header.grid.flat());
  EXPECT_TRUE(any_has(header.warnings, "states no position"));
  EXPECT_TRUE(has(why_dicom(file.frames({{1, ""}, {1, ""}}).pixels({0, 0})), "without positions"));
}

TEST(Dicom, NamesComeInTheStatedCharacterSet) {
  const Folder folder;
  SegFile file = sound_seg();
  file.segments({{1,
                  "f\xFC"
                  "nf"}});
  EXPECT_EQ(read_header(folder.put("a.dcm", file.bytes())).name, "f\\xfcnf");
  EXPECT_EQ(read_header(folder.put("b.dcm", file.set(kCharacterSet, "CS", "ISO_IR 100").bytes())).name,
            "fünf");
  file.segments({{1, "fünf"}}).set(kCharacterSet, "CS", "ISO_IR 192");
  EXPECT_EQ(read_header(folder.put("c.dcm", file.bytes())).name, "fünf");
}

TEST(Dicom, OtherObjectsAreRefusedByName) {
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kSopClass, "UI", "1.2.840.10008.5.1.4.1.1.2")), "a CT image"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kDimensionOrganization, "CS", "TILED_FULL")), "TILED_FULL"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kTotalColumns, 9)), "tiled"));
  SegFile packed = sound_seg();
  packed.syntax = "1.2.840.10008.1.2.5";
  EXPECT_TRUE(has(why_dicom(packed), "RLE lossless"));
  packed.syntax = "1.2.840.10008.1.2.2";
  EXPECT_TRUE(has(why_dicom(packed), "explicit big endian"));
}

TEST(Dicom, ContradictionsAreRefused) {
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kNumberOfFrames, "IS", "3")), "declares 3 frames"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kNumberOfFrames, "IS", "1")), "more frames"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kNumberOfFrames, "IS", "two")), "not a whole number"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kRows, 200)), "cut short"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kRows, 0)), "0 rows"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kBitsAllocated, 8)), "impossible"));
  EXPECT_TRUE(has(why_dicom(sound_seg().set(kSegmentationType, "CS", "OTHER")), "'OTHER'"));
  EXPECT_TRUE(has(why_dicom(sound_seg().segments({{2, "liver"}})), "segment 1"));
  EXPECT_TRUE(has(why_dicom(sound_seg().segments({{1, "a"}, {1, "b"}})), "two segments"));
  EXPECT_TRUE(has(why_dicom(sound_seg().pixels({1, 0, 0, 0})), "12 pixels") ||
              has(why_dicom(sound_seg().pixels({1, 0, 0, 0})), "take 2 bytes"));
  EXPECT_TRUE(has(why_dicom(sound_bytes("FRACTIONAL", Bytes(12))), "largest fraction"));
}

TEST(Dicom, AnySmallerFileIsRefused) {
  const Folder folder;
  const Bytes whole = sound_seg().bytes();
  for (std::size_t size = 132; size < whole.size(); ++size)
    EXPECT_NE(refusal(folder.put("a.dcm", cut(whole, size))), "") << size;
}

TEST(Dicom, ZerosBehindTheEndAreIgnoredWithAWarning) {
  const Folder folder;
  const auto path = folder.put("a.dcm", joined({sound_seg().bytes(), Bytes(100)}));
  EXPECT_TRUE(any_has(warnings_of(path), "100 zero bytes"));
  EXPECT_NE(refusal(folder.put("b.dcm", joined({sound_seg().bytes(), Bytes{1, 2, 3}}))), "");
}

}  // namespace
}  // namespace crema::files::testing
