// SPDX-License-Identifier: Apache-2.0
// Tags and identifiers of DICOM that are read or written here, by the names the standard gives them (PS3.6).
#pragma once

#include <cstdint>
#include <string_view>

namespace crema::files::dicom {

using Tag = std::uint32_t;

inline constexpr Tag kItem = 0xFFFEE000, kItemEnd = 0xFFFEE00D, kSequenceEnd = 0xFFFEE0DD;

inline constexpr Tag kTransferSyntax = 0x00020010;
inline constexpr Tag kCharacterSet = 0x00080005;
inline constexpr Tag kSopClass = 0x00080016, kSopInstance = 0x00080018;
inline constexpr Tag kImagePosition = 0x00200032, kImageOrientation = 0x00200037;
inline constexpr Tag kPlanePositionSequence = 0x00209113, kPlaneOrientationSequence = 0x00209116;
inline constexpr Tag kStudyUid = 0x0020000D, kSeriesUid = 0x0020000E, kFrameOfReference = 0x00200052;
inline constexpr Tag kDimensionOrganization = 0x00209311;
inline constexpr Tag kSamplesPerPixel = 0x00280002, kNumberOfFrames = 0x00280008;
inline constexpr Tag kRows = 0x00280010, kColumns = 0x00280011;
inline constexpr Tag kBitsAllocated = 0x00280100, kBitsStored = 0x00280101, kPixelSigned = 0x00280103;
inline constexpr Tag kHighBit = 0x00280102, kRescaleIntercept = 0x00281052, kRescaleSlope = 0x00281053;
inline constexpr Tag kPixelPadding = 0x00280120;
inline constexpr Tag kSliceThickness = 0x00180050, kSpacingBetweenSlices = 0x00180088,
                     kPixelSpacing = 0x00280030;
inline constexpr Tag kPixelMeasuresSequence = 0x00289110;
inline constexpr Tag kPlanePositionSlideSequence = 0x0048021A, kTotalColumns = 0x00480006;
inline constexpr Tag kSegmentationType = 0x00620001, kSegmentSequence = 0x00620002;
inline constexpr Tag kSegmentNumber = 0x00620004, kSegmentLabel = 0x00620005;
inline constexpr Tag kSegmentIdentification = 0x0062000A, kReferencedSegment = 0x0062000B;
inline constexpr Tag kCodeValue = 0x00080100, kCodeScheme = 0x00080102, kCodeMeaning = 0x00080104;
inline constexpr Tag kPropertyCategory = 0x00620003, kPropertyType = 0x0062000F;
inline constexpr Tag kPatientId = 0x00100020;
inline constexpr Tag kDisplayColour = 0x0062000D, kMaximumFraction = 0x0062000E;
inline constexpr Tag kContentDescription = 0x00700081;
inline constexpr Tag kStructureRois = 0x30060020, kRoiNumber = 0x30060022, kRoiFrameOfReference = 0x30060024,
                     kRoiName = 0x30060026, kRoiColour = 0x3006002A, kRoiContours = 0x30060039;
inline constexpr Tag kContours = 0x30060040, kContourType = 0x30060042, kContourPoints = 0x30060046,
                     kContourData = 0x30060050, kReferencedRoi = 0x30060084;
inline constexpr Tag kSharedGroups = 0x52009229, kPerFrameGroups = 0x52009230;
inline constexpr Tag kPixelData = 0x7FE00010;

inline constexpr std::string_view kImplicitLittle = "1.2.840.10008.1.2",
                                  kExplicitLittle = "1.2.840.10008.1.2.1";
inline constexpr std::string_view kSegmentationStorage = "1.2.840.10008.5.1.4.1.1.66.4",
                                  kLabelMapStorage = "1.2.840.10008.5.1.4.1.1.66.7",
                                  kStructureSetStorage = "1.2.840.10008.5.1.4.1.1.481.3";

/// What people call a transfer syntax or a kind of object; the identifier itself where it is not known.
std::string_view name_of_uid(std::string_view uid);

}  // namespace crema::files::dicom
