// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/frames.h"

#include "files/dicom/pixels.h"
#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

Header cube_of_labels() {
  Header header;
  header.grid.size = {3, 3, 4};
  header.segments = {{.name = "a", .id = "", .colour = "", .layer = 0, .value = 1},
                     {.name = "b", .id = "", .colour = "", .layer = 0, .value = 2}};
  return header;
}

TEST(DicomFrames, OnlySlicesWithVoxelsAreStoredAndTheirBitsRunOn) {
  const Header header = cube_of_labels();
  LabelImage image(36);
  image[9] = 1;
  image[17] = image[27] = 2;
  const dicom::PackedFrames frames = dicom::pack_frames(image, header, header.segments);
  ASSERT_EQ(frames.places.size(), 3U);
  EXPECT_EQ(frames.places[1].segment, 1U);
  EXPECT_EQ(frames.places[2].z, 3);
  Bytes pixels(27);
  dicom::spread_bits(frames.bytes, 0, pixels);
  Bytes wanted(27);
  wanted[0] = wanted[17] = wanted[18] = 1;
  EXPECT_EQ(pixels, wanted);
}

TEST(DicomFrames, EverySliceOfEverySegmentIsStoredWhereThatIsWanted) {
  Header header = cube_of_labels();
  header.every_slice = true;
  LabelImage image(36);
  image[9] = 1;
  const dicom::PackedFrames frames = dicom::pack_frames(image, header, header.segments);
  ASSERT_EQ(frames.places.size(), 8U);
  EXPECT_EQ(frames.places[5].segment, 1U);
  EXPECT_EQ(frames.places[5].z, 1);
  EXPECT_EQ(frames.bytes.size(), 9U);
  EXPECT_EQ(frames.bytes[1], 2U);
}

TEST(DicomFrames, NothingIsOneEmptyFrame) {
  const Header header = cube_of_labels();
  const dicom::PackedFrames frames = dicom::pack_frames(HardImage(36), header, header.segments);
  EXPECT_EQ(frames.places.size(), 1U);
  EXPECT_EQ(frames.bytes, Bytes(2));
}

}  // namespace
}  // namespace crema::files::testing
