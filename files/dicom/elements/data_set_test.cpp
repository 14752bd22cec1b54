// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/data_set.h"

#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

TEST(DicomDataSet, ElementsStandInTheOrderOfTheirTags) {
  dicom::DataSet result, inner;
  inner.number(dicom::kSegmentNumber, 3);
  result.sequence(dicom::kSegmentSequence, {inner, inner}).text(dicom::kSopClass, "UI", "1.2");
  const Bytes own = item(number(dicom::kSegmentNumber, 3));
  EXPECT_EQ(result.bytes(), joined({element(dicom::kSopClass, "UI", std::string("1.2")),
                                    sequence(dicom::kSegmentSequence, joined({own, own}))}));
}

TEST(DicomDataSet, DecimalsHaveAtMostSixteenCharacters) {
  EXPECT_EQ(dicom::decimal_text(2.5), "2.5");
  EXPECT_EQ(dicom::decimal_text(-0.0), "0");
  for (const double value : {1.0 / 3, -1e-7 / 3, -123456.7890123456789, 1e300 / 7, -2e-300 / 3}) {
    const std::string text = dicom::decimal_text(value);
    EXPECT_LE(text.size(), 16U) << text;
    EXPECT_NEAR(std::stod(text) / value, 1, 1e-8) << text;
  }
}

TEST(DicomDataSet, DerivedIdentifiersAreSoundAndDiffer) {
  const std::string uid = dicom::derived_uid("a");
  EXPECT_EQ(uid, dicom::derived_uid("a"));
  EXPECT_NE(uid, dicom::derived_uid("b"));
  EXPECT_TRUE(uid.starts_with("2.25.") && uid.size() <= 44 && uid[5] != '0') << uid;
  EXPECT_EQ(uid.find_first_not_of("0123456789."), std::string::npos);
}

}  // namespace
}  // namespace crema::files::testing
