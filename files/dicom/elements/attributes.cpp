// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/attributes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "files/dicom/colour.h"
#include "files/dicom/elements/bytes.h"
#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

constexpr std::array kEntered{kSegmentSequence,       kSharedGroups,
                              kPerFrameGroups,        kPixelMeasuresSequence,
                              kPlanePositionSequence, kPlaneOrientationSequence,
                              kSegmentIdentification, kPlanePositionSlideSequence,
                              kPropertyCategory,      kPropertyType};

/// Frames whose measures differ by no more lie alike.
constexpr double kAlike = 1e-4;

class Gatherer {
 public:
  Gatherer(ElementReader& reader, Attributes& found, const ReadOptions& options)
      : reader_(reader), found_(found), options_(options) {}

  void item(const Path& path) {
    if (path.size() == 1 && path[0] == kSegmentSequence) found_.segments.emplace_back();
    if (path.size() == 1 && path[0] == kPerFrameGroups) begin_frame();
    if (path.size() == 2 && path[1] == kPlanePositionSlideSequence) found_.slide = true;
  }

  void value(const Path& path, const Element& element) {
    if (path.empty()) return top(element);
    if (path[0] == kSegmentSequence && path.size() == 1) return segment(element);
    if (path[0] == kSegmentSequence && path.size() == 2) return code(element, path[1]);
    if (path[0] == kSharedGroups && path.size() == 2) return group(element, found_.shared_frame);
    if (path[0] == kPerFrameGroups && path.size() == 2) return group(element, found_.frames.back());
  }

 private:
  /// Frames are counted before they are taken in, so that a file cannot ask for more than it holds.
  void begin_frame() {
    if (found_.frames.empty()) {
      const auto pixels = static_cast<double>(found_.rows) * found_.columns;
      const double bytes = static_cast<double>(found_.frame_count) * pixels * found_.bits / 8;
      if (bytes > static_cast<double>(reader_.size()))
        refuse(reader_.path(),
               "is cut short or damaged: it declares {} of pixels, but has {}; copy or download it again",
               bytes_text(bytes), bytes_text(static_cast<double>(reader_.size())));
      check_memory(reader_.path(), static_cast<double>(found_.frame_count) * sizeof(Frame), options_);
    }
    if (static_cast<std::int64_t>(found_.frames.size()) >= found_.frame_count)
      refuse(reader_.path(),
             "describes more frames than the {} it declares; it is damaged: copy or save it "
             "again",
             found_.frame_count);
    found_.frames.emplace_back();
  }

  void top(const Element& element) {
    switch (element.tag) {
      case kSopClass:
        found_.sop_class = text_of(reader_, element);
        return;
      case kCharacterSet:
        found_.characters = text_of(reader_, element);
        return;
      case kDimensionOrganization:
        found_.organisation = text_of(reader_, element);
        return;
      case kSegmentationType:
        found_.type = text_of(reader_, element);
        return;
      case kContentDescription:
        found_.description = text_of(reader_, element);
        return;
      case kFrameOfReference:
        found_.frame_of_reference = text_of(reader_, element);
        return;
      case kPatientId:
        found_.patient = text_of(reader_, element);
        return;
      case kStudyUid:
        found_.study = text_of(reader_, element);
        return;
      case kNumberOfFrames:
        found_.frame_count = integer_of(reader_, element);
        return;
      case kTotalColumns:
        found_.slide = true;
        return;
      case kPixelData:
        found_.pixels_found = true;
        found_.pixel_offset = element.offset;
        found_.pixel_length = element.length;
        return;
      default:
        return top_number(element);
    }
  }

  void top_number(const Element& element) {
    const std::array<std::pair<Tag, std::uint16_t*>, 8> numbers{{{kSamplesPerPixel, &found_.samples},
                                                                 {kRows, &found_.rows},
                                                                 {kColumns, &found_.columns},
                                                                 {kBitsAllocated, &found_.bits},
                                                                 {kBitsStored, &found_.stored},
                                                                 {kPixelSigned, &found_.is_signed},
                                                                 {kPixelPadding, &found_.padding},
                                                                 {kMaximumFraction, &found_.maximum}}};
    for (const auto& [tag, number] : numbers)
      if (tag == element.tag) *number = short_of(reader_, element);
  }

  void segment(const Element& element) {
    Segment& own = found_.segments.back();
    if (element.tag == kSegmentNumber) own.number = short_of(reader_, element);
    if (element.tag == kSegmentLabel) own.label = text_of(reader_, element);
    if (element.tag == kDisplayColour) own.colour = rgb_text(shorts_of(reader_, element, 3));
  }

  /// The first item counts, as there is to be one alone.
  void code(const Element& element, Tag sequence) {
    if (sequence != kPropertyCategory && sequence != kPropertyType) return;
    Segment& own = found_.segments.back();
    Code& code = sequence == kPropertyType ? own.type : own.category;
    std::string* const text = element.tag == kCodeValue     ? &code.value
                              : element.tag == kCodeScheme  ? &code.scheme
                              : element.tag == kCodeMeaning ? &code.meaning
                                                            : nullptr;
    if (text != nullptr && text->empty()) *text = text_of(reader_, element);
  }

  void group(const Element& element, Frame& frame) {
    Measures& all = found_.measures;
    switch (element.tag) {
      case kReferencedSegment:
        frame.segment = short_of(reader_, element);
        return;
      case kImagePosition:
        frame.position = array_of<3>(element);
        return;
      case kImageOrientation:
        return agree(all.orientation, array_of<6>(element), "orientations");
      case kPixelSpacing:
        return agree(all.pixel, array_of<2>(element), "pixel spacings");
      case kSpacingBetweenSlices:
        return agree(all.between_slices, numbers_of(reader_, element, 1).front(), "spacings between slices");
      case kSliceThickness:
        // Thickness says nothing about where a slice lies, and may well differ.
        if (!all.thickness) all.thickness = numbers_of(reader_, element, 1).front();
        return;
      default:
        return;
    }
  }

  template <std::size_t count>
  std::array<double, count> array_of(const Element& element) {
    std::array<double, count> values{};
    const std::vector<double> numbers = numbers_of(reader_, element, count);
    std::copy(numbers.begin(), numbers.end(), values.begin());
    return values;
  }

  static double distance(double a, double b) { return std::abs(a - b) / std::max(1.0, std::abs(a)); }
  template <std::size_t count>
  static double distance(const std::array<double, count>& a, const std::array<double, count>& b) {
    double most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, distance(a[i], b[i]));
    return most;
  }

  template <class Value>
  void agree(std::optional<Value>& known, const Value& other, std::string_view what) {
    if (!known) known = other;
    if (distance(*known, other) > kAlike)
      refuse(reader_.path(),
             "has frames of different {}, so they do not form one image; save the frames of each image as a "
             "separate file",
             what);
  }

  ElementReader& reader_;
  Attributes& found_;
  const ReadOptions& options_;
};

}  // namespace

void check_syntax(const std::string& syntax, const std::filesystem::path& path) {
  if (syntax == kImplicitLittle || syntax == kExplicitLittle) return;
  refuse(path,
         "uses the transfer syntax {} ({}), but only uncompressed little endian is supported; convert it "
         "with 'gdcmconv --raw' or 'dcmconv'",
         printable(std::string(name_of_uid(syntax))), printable(syntax));
}

Attributes read_attributes(const Source& source, const ReadOptions& options) {
  ElementReader reader(source);
  Attributes found;
  std::int64_t first = 0;
  found.syntax = read_meta(reader, first);
  check_syntax(found.syntax, source.path());
  Gatherer gatherer(reader, found, options);
  const Visitor visitor{
      .value = [&](const Path& path, const Element& element) { gatherer.value(path, element); },
      .item = [&](const Path& path) { gatherer.item(path); }};
  found.zeros = walk(reader, first, found.syntax, kEntered, visitor);
  return found;
}

}  // namespace crema::files::dicom
