// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/pixels.h"

#include <random>

#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

TEST(DicomPixels, BitsAreSpreadFromAnyPlaceInAByte) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    Bytes packed(1 + random() % 40);
    for (std::uint8_t& byte : packed) byte = static_cast<std::uint8_t>(random());
    const unsigned skip = random() % 8;
    Bytes wanted(random() % (packed.size() * 8 - skip + 1));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = static_cast<std::uint8_t>(packed[(i + skip) / 8] >> (i + skip) % 8 & 1);
    Bytes found(wanted.size(), 9);
    dicom::spread_bits(packed, skip, found);
    ASSERT_EQ(found, wanted);
  }
}

}  // namespace
}  // namespace crema::files::testing
