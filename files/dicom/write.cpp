// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "crema/base/utf8.h"
#include "crema/base/version.h"
#include "files/dicom/colour.h"
#include "files/dicom/dicom.h"
#include "files/dicom/elements/characters.h"
#include "files/dicom/elements/data_set.h"
#include "files/dicom/frames.h"
#include "files/dicom/read.h"
#include "files/dicom/series.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;
using dicom::DataSet;
using dicom::PackedFrames;
using dicom::Series;
using dicom::shared_text;
using dicom::Tag;

/// The first of these that the series states. Results carry no time of their own, so that the same input
/// gives the same bytes.
std::string first_of(const Series& series, std::initializer_list<Tag> tags, const std::string& otherwise) {
  for (const Tag tag : tags)
    if (std::string text = shared_text(series, tag); !text.empty()) return text;
  return otherwise;
}

void add_patient_and_study(DataSet& file, const Series& series) {
  const std::array<std::pair<Tag, std::string_view>, 13> kinds{{{0x00080020, "DA"},
                                                                {0x00080030, "TM"},
                                                                {0x00080050, "SH"},
                                                                {0x00080090, "PN"},
                                                                {0x00100010, "PN"},
                                                                {0x00100020, "LO"},
                                                                {0x00100030, "DA"},
                                                                {0x00100040, "CS"},
                                                                {dicom::kStudyUid, "UI"},
                                                                {0x00200010, "SH"},
                                                                {dicom::kFrameOfReference, "UI"},
                                                                {0x00201040, "LO"},
                                                                {dicom::kCharacterSet, "CS"}}};
  for (const auto& [tag, kind] : kinds) file.text(tag, kind, shared_text(series, tag));
  file.text(dicom::kCharacterSet, "CS", series.characters);
  if (const std::string text = shared_text(series, 0x00081030); !text.empty())
    file.text(0x00081030, "LO", text);
  file.text(0x00080023, "DA", first_of(series, {0x00080023, 0x00080020}, "19000101"));
  file.text(0x00080033, "TM", first_of(series, {0x00080033, 0x00080030}, "000000"));
}

void add_equipment(DataSet& file) {
  file.text(0x00080008, "CS", "DERIVED\\PRIMARY").text(0x00080060, "CS", "SEG");
  file.text(0x00080070, "LO", "crema").text(0x00081090, "LO", "crema").text(0x00181000, "LO", "0");
  file.text(0x00181020, "LO", version()).text(0x0008103E, "LO", kConsensusMark);
  file.text(0x00200011, "IS", "300").text(0x00200013, "IS", "1");
  file.text(0x00700080, "CS", "CONSENSUS").text(dicom::kContentDescription, "LO", kConsensusMark);
  file.text(0x00700084, "PN", "");
}

void add_pixels(DataSet& file, const Grid& grid, const PackedFrames& frames) {
  file.number(dicom::kSamplesPerPixel, 1).text(0x00280004, "CS", "MONOCHROME2");
  file.text(dicom::kNumberOfFrames, "IS", std::to_string(frames.places.size()));
  file.number(dicom::kRows, static_cast<std::uint16_t>(grid.size[1]));
  file.number(dicom::kColumns, static_cast<std::uint16_t>(grid.size[0]));
  file.number(dicom::kBitsAllocated, frames.depth).number(dicom::kBitsStored, frames.depth);
  file.number(dicom::kHighBit, static_cast<std::uint16_t>(frames.depth - 1));
  file.number(dicom::kPixelSigned, 0).text(0x00282110, "CS", "00");
  file.text(dicom::kSegmentationType, "CS", frames.depth == 1 ? "BINARY" : "FRACTIONAL");
  if (frames.depth == 1) return;
  file.text(0x00620010, "CS", "PROBABILITY").number(dicom::kMaximumFraction, dicom::kWhole);
}

/// What fits into a label: 64 characters, none of them a sign of DICOM's own.
std::string label_text(const std::string& name, const Series& series) {
  constexpr std::size_t longest = 64;
  std::string text;
  std::string_view left = name;
  for (std::size_t count = 0; count < longest && !left.empty(); ++count) {
    const std::size_t length = std::max<std::size_t>(character_length(left), 1);
    const auto byte = static_cast<unsigned char>(left.front());
    if (left.front() == '\\' || byte < ' ' || byte == 0x7f)
      text += ' ';
    else if (byte >= 0x80 && series.characters != "ISO_IR 192")
      text += '?';
    else
      text += left.substr(0, length);
    left.remove_prefix(length);
  }
  return text;
}

/// Names that could not be written as they are.
void warn_of_labels(const fs::path& path, const std::vector<SegmentInfo>& segments, const Series& series,
                    Warnings& warnings) {
  for (const SegmentInfo& segment : segments)
    if (const std::string text = label_text(segment.name, series); text != segment.name)
      warnings.push_back({sentence(path,
                                   "renames segment '{}' to '{}': a DICOM label has at most 64 characters, "
                                   "no backslash and the character set of the series",
                                   printable(segment.name), printable(text)),
                          WarningKind::output_format});
}

void warn_of_codes(const fs::path& path, const std::vector<SegmentInfo>& segments, Warnings& warnings) {
  std::string names;
  for (const SegmentInfo& segment : segments)
    if (segment.type.value.empty()) names += (names.empty() ? "'" : ", '") + printable(segment.name) + "'";
  if (!names.empty())
    warnings.push_back(
        {sentence(path, "uses the code for tissue for {}, since the raters do not share a code", names),
         WarningKind::output_format});
}

void add_segments(DataSet& file, const std::vector<SegmentInfo>& segments, const Series& series) {
  std::vector<DataSet> items;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    DataSet algorithm, item;
    algorithm.code(0x0066002F, "CONSENSUS", "99CREMA", "Consensus of raters");
    algorithm.text(0x00660031, "LO", version()).text(0x00660036, "LO", "crema");
    item.number(dicom::kSegmentNumber, static_cast<std::uint16_t>(s + 1));
    item.text(dicom::kSegmentLabel, "LO", label_text(segments[s].name, series));
    const bool coded = !segments[s].type.value.empty();
    const Code tissue{"85756007", "SCT", "Tissue"};
    const Code& category = coded ? segments[s].category : tissue;
    const Code& type = coded ? segments[s].type : tissue;
    item.code(dicom::kPropertyCategory, category.value, category.scheme,
              label_text(category.meaning, series));
    item.code(dicom::kPropertyType, type.value, type.scheme, label_text(type.meaning, series));
    item.text(0x00620008, "CS", "AUTOMATIC").text(0x00620009, "LO", "crema");
    item.sequence(0x00620007, {algorithm});
    if (!segments[s].colour.empty()) {
      const auto lab = dicom::lab_of(segments[s].colour);
      item.numbers(dicom::kDisplayColour, {lab.begin(), lab.end()});
    }
    items.push_back(std::move(item));
  }
  file.sequence(dicom::kSegmentSequence, items);
}

/// Frames are numbered by segment and by place.
void add_dimensions(DataSet& file, const std::string& uid) {
  DataSet organisation, segment, place;
  organisation.text(0x00209164, "UI", uid);
  const auto pointer = [&](DataSet& item, Tag tag, Tag group) {
    const auto words = [](Tag t) {
      const std::array<char, 4> bytes{static_cast<char>(t >> 16), static_cast<char>(t >> 24),
                                      static_cast<char>(t), static_cast<char>(t >> 8)};
      return std::string(bytes.begin(), bytes.end());
    };
    item.text(0x00209164, "UI", uid).text(0x00209165, "AT", words(tag)).text(0x00209167, "AT", words(group));
  };
  pointer(segment, dicom::kReferencedSegment, dicom::kSegmentIdentification);
  pointer(place, dicom::kImagePosition, dicom::kPlanePositionSequence);
  file.sequence(0x00209221, {organisation}).sequence(0x00209222, {segment, place});
}

DataSet reference_to(const dicom::Instance& instance) {
  DataSet item;
  item.text(0x00081150, "UI", instance.sop_class).text(0x00081155, "UI", instance.sop_instance);
  return item;
}

void add_groups(DataSet& file, const Series& series, const PackedFrames& frames) {
  DataSet turned, measures, shared;
  turned.text(dicom::kImageOrientation, "DS", series.orientation);
  const std::string between = dicom::decimal_text(series.stack.grid.spacing[2]);
  measures.text(dicom::kSliceThickness, "DS", series.thickness.empty() ? between : series.thickness);
  measures.text(dicom::kSpacingBetweenSlices, "DS", between)
      .text(dicom::kPixelSpacing, "DS", series.pixel_spacing);
  shared.sequence(dicom::kPlaneOrientationSequence, {turned})
      .sequence(dicom::kPixelMeasuresSequence, {measures});
  file.sequence(dicom::kSharedGroups, {shared});
  std::vector<DataSet> groups;
  for (const dicom::FramePlace& own : frames.places) {
    const dicom::Instance& instance = series.slices[static_cast<std::size_t>(own.z)];
    DataSet derived, content, position, segment, group;
    DataSet source = reference_to(instance);
    source.code(0x0040A170, "121322", "DCM", "Source image for image processing operation");
    derived.sequence(0x00082112, {source}).code(0x00089215, "113076", "DCM", "Segmentation");
    content.wide_numbers(0x00209157, {own.segment + 1, static_cast<std::uint32_t>(own.z) + 1});
    position.text(dicom::kImagePosition, "DS", instance.position);
    segment.number(dicom::kReferencedSegment, static_cast<std::uint16_t>(own.segment + 1));
    group.sequence(0x00089124, {derived}).sequence(0x00209111, {content});
    group.sequence(dicom::kPlanePositionSequence, {position})
        .sequence(dicom::kSegmentIdentification, {segment});
    groups.push_back(std::move(group));
  }
  file.sequence(dicom::kPerFrameGroups, groups);
}

void add_references(DataSet& file, const Series& series) {
  std::vector<DataSet> instances;
  for (const dicom::Instance& instance : series.slices) instances.push_back(reference_to(instance));
  DataSet own;
  own.sequence(0x0008114A, instances).text(dicom::kSeriesUid, "UI", shared_text(series, dicom::kSeriesUid));
  file.sequence(0x00081115, {own});
}

std::vector<std::uint8_t> file_start(const std::string& instance) {
  DataSet meta;
  meta.text(0x00020002, "UI", dicom::kSegmentationStorage).text(0x00020003, "UI", instance);
  meta.text(dicom::kTransferSyntax, "UI", dicom::kExplicitLittle);
  meta.text(0x00020012, "UI", dicom::derived_uid("crema")).text(0x00020013, "SH", "CREMA");
  meta.text(0x00020001, "OB", std::string_view("\0\1", 2));
  DataSet length;
  length.wide_numbers(0x00020000, {static_cast<std::uint32_t>(meta.bytes().size())});
  std::vector<std::uint8_t> start(128);
  for (const char c : {'D', 'I', 'C', 'M'}) start.push_back(static_cast<std::uint8_t>(c));
  for (const auto& part : {length.bytes(), meta.bytes()}) start.insert(start.end(), part.begin(), part.end());
  return start;
}

std::vector<SegmentInfo> segments_for(const fs::path& path, const Header& reference) {
  if (!reference.segments.empty()) return reference.segments;
  return {{.name = path.stem().string(), .id = "1", .colour = {}}};
}

const Series* series_of(const Header& reference) {
  if (reference.format != Format::dicom || reference.native == nullptr) return nullptr;
  return static_cast<const dicom::SegmentNative*>(reference.native.get())->series.get();
}

}  // namespace

std::string dicom_lacks(const Header& reference) {
  const Series* const series = series_of(reference);
  if (series == nullptr)
    return fmt::format(
        "a DICOM segmentation refers to the patient, study and slices of a series; name its folder with {}",
        Sentence::setting("like", "SERIES_FOLDER"));
  if (!reference.foreign.empty())
    return fmt::format("{}, whose patient and images a DICOM segmentation would refer to; leave it out",
                       reference.foreign);
  constexpr std::array<std::pair<Tag, std::string_view>, 3> needed{
      {{dicom::kStudyUid, "StudyInstanceUID"},
       {dicom::kSeriesUid, "SeriesInstanceUID"},
       {dicom::kFrameOfReference, "FrameOfReferenceUID"}}};
  for (const auto& [tag, name] : needed)
    if (shared_text(*series, tag).empty())
      return fmt::format("the images of {} state no {}, which a DICOM segmentation must repeat; restore it",
                         printable(reference.path), name);
  for (const dicom::Instance& instance : series->slices)
    if (instance.sop_class.empty() || instance.sop_instance.empty())
      return fmt::format(
          "an image of {} states no SOPInstanceUID or SOPClassUID, which a DICOM segmentation refers to; "
          "restore it",
          printable(reference.path));
  return "";
}

Encoded dicom_encode(const fs::path& path, const Image& image, const Header& reference) {
  if (const std::string lacking = dicom_lacks(reference); !lacking.empty())
    throw UsageError(sentence(path, "{}", lacking));
  const Series* const series = series_of(reference);
  const std::vector<SegmentInfo> segments = segments_for(path, reference);
  PackedFrames frames = dicom::pack_frames(image, reference, segments);
  if (frames.bytes.size() % 2 == 1) frames.bytes.push_back(0);
  if (segments.size() > std::numeric_limits<std::uint16_t>::max() ||
      frames.bytes.size() >= std::numeric_limits<std::uint32_t>::max())
    throw UsageError(sentence(path, "is too large for a DICOM segmentation; write .seg.nrrd"));
  DataSet file;
  add_patient_and_study(file, *series);
  add_equipment(file);
  add_pixels(file, reference.grid, frames);
  add_segments(file, segments, *series);
  add_groups(file, *series, frames);
  add_references(file, *series);
  const auto said = file.bytes();
  std::string all(said.begin(), said.end());
  all.append(frames.bytes.begin(), frames.bytes.end());
  const std::string instance = dicom::derived_uid("instance" + all);
  file.text(dicom::kSopClass, "UI", dicom::kSegmentationStorage).text(0x00080018, "UI", instance);
  file.text(dicom::kSeriesUid, "UI", dicom::derived_uid("series" + all));
  add_dimensions(file, dicom::derived_uid("dimensions" + all));
  file.head(dicom::kPixelData, "OB", static_cast<std::uint32_t>(frames.bytes.size()));
  Encoded encoded;
  encoded.owned = {file_start(instance), file.bytes(), std::move(frames.bytes)};
  warn_of_labels(path, segments, *series, encoded.warnings);
  warn_of_codes(path, segments, encoded.warnings);
  if (std::holds_alternative<SoftImage>(image))
    encoded.warnings.push_back(
        {sentence(path, "its levels are rounded to steps of 1/{}; .nii.gz keeps them", dicom::kWhole),
         WarningKind::output_format});
  encoded.outputs = {{path, {encoded.owned[0], encoded.owned[1], encoded.owned[2]}}};
  return encoded;
}

}  // namespace crema::files
