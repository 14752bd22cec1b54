// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/colour.h"

#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

TEST(DicomColour, KnownColoursAreRead) {
  const std::array<std::uint16_t, 3> black{0, 32896, 32896}, white{65535, 32896, 32896};
  EXPECT_EQ(dicom::rgb_text(black), "0.000000 0.000000 0.000000");
  EXPECT_EQ(dicom::rgb_text(white).substr(0, 5), "1.000");
  const std::array<std::uint16_t, 3> liver{41661, 41167, 40792};  // (221, 130, 101), as dcmqi writes it
  EXPECT_EQ(dicom::rgb_text(liver).substr(0, 4), "0.86");
}

TEST(DicomColour, ColoursComeBack) {
  for (const char* const text :
       {"0.900000 0.400000 0.200000", "0.100000 0.800000 0.700000", "0.500000 0.500000 0.500000"}) {
    const std::string back = dicom::rgb_text(dicom::lab_of(text));
    for (std::size_t at : {0U, 9U, 18U})
      EXPECT_NEAR(std::stod(back.substr(at, 8)), std::stod(std::string(text).substr(at, 8)), 2e-3) << back;
  }
  EXPECT_EQ(dicom::lab_of("no colour"), dicom::lab_of("0.5 0.5 0.5"));
}

}  // namespace
}  // namespace crema::files::testing
