// SPDX-License-Identifier: Apache-2.0
// Builders for tests: DICOM files made element by element, so that each can be wrong.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "files/dicom/elements/tags.h"
#include "files/testing.h"

namespace crema::files::testing {

using dicom::Tag;

inline Bytes little(std::uint64_t value, std::size_t bytes) {
  Bytes result;
  for (std::size_t i = 0; i < bytes; ++i) result.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return result;
}

inline Bytes tag_bytes(Tag tag) { return joined({little(tag >> 16, 2), little(tag & 0xFFFF, 2)}); }

/// Explicit where a kind of value is stated, implicit where it is empty.
inline Bytes element(Tag tag, const std::string& kind, Bytes value) {
  if (value.size() % 2 == 1) value.push_back(kind == "UI" || kind == "OB" ? 0 : ' ');
  if (kind.empty()) return joined({tag_bytes(tag), little(value.size(), 4), value});
  const bool wide = kind == "SQ" || kind == "OB" || kind == "OW" || kind == "UN";
  const Bytes name(kind.begin(), kind.end());
  return joined({tag_bytes(tag), name, wide ? Bytes(2) : Bytes(), little(value.size(), wide ? 4 : 2), value});
}
inline Bytes element(Tag tag, const std::string& kind, const std::string& text) {
  return element(tag, kind, Bytes(text.begin(), text.end()));
}
inline Bytes number(Tag tag, int value) {
  return element(tag, "US", little(static_cast<std::uint64_t>(value), 2));
}

inline Bytes item(const Bytes& content) {
  return joined({tag_bytes(dicom::kItem), little(content.size(), 4), content});
}
inline Bytes open_item(const Bytes& content) {
  return joined(
      {tag_bytes(dicom::kItem), little(0xFFFFFFFF, 4), content, tag_bytes(dicom::kItemEnd), Bytes(4)});
}
inline Bytes sequence(Tag tag, const Bytes& items) { return element(tag, "SQ", items); }
inline Bytes open_sequence(Tag tag, const Bytes& items) {
  return joined({tag_bytes(tag), Bytes{'S', 'Q', 0, 0}, little(0xFFFFFFFF, 4), items,
                 tag_bytes(dicom::kSequenceEnd), Bytes(4)});
}

/// A file's own header with that transfer syntax, and a data set.
inline Bytes dicom_file(const Bytes& data, std::string_view syntax = dicom::kExplicitLittle) {
  const Bytes meta = element(dicom::kTransferSyntax, "UI", std::string(syntax));
  return joined(
      {Bytes(128), Bytes{'D', 'I', 'C', 'M'}, element(0x00020000, "UL", little(meta.size(), 4)), meta, data});
}

struct TestFrame {
  int segment = 1;
  std::string position;
};

/// A segmentation being made; elements of the data set lie in the order of their tags.
struct SegFile {
  std::map<Tag, Bytes> elements;
  std::string syntax{dicom::kExplicitLittle};

  SegFile& set(Tag tag, const std::string& kind, const std::string& text) {
    elements[tag] = element(tag, kind, text);
    return *this;
  }
  SegFile& set(Tag tag, int value) {
    elements[tag] = number(tag, value);
    return *this;
  }
  SegFile& frames(const std::vector<TestFrame>& list) {
    Bytes items;
    for (const TestFrame& frame : list) {
      Bytes content;
      if (!frame.position.empty())
        content = sequence(dicom::kPlanePositionSequence,
                           item(element(dicom::kImagePosition, "DS", frame.position)));
      if (frame.segment > 0)
        content = joined({content, sequence(dicom::kSegmentIdentification,
                                            item(number(dicom::kReferencedSegment, frame.segment)))});
      items = joined({items, item(content)});
    }
    elements[dicom::kPerFrameGroups] = sequence(dicom::kPerFrameGroups, items);
    return set(dicom::kNumberOfFrames, "IS", std::to_string(list.size()));
  }
  SegFile& segments(const std::vector<std::pair<int, std::string>>& list) {
    Bytes items;
    for (const auto& [own, name] : list)
      items = joined({items, item(joined({number(dicom::kSegmentNumber, own),
                                          element(dicom::kSegmentLabel, "LO", name)}))});
    elements[dicom::kSegmentSequence] = sequence(dicom::kSegmentSequence, items);
    return *this;
  }
  SegFile& between(const std::string& millimetres, const std::string& thick = "") {
    const Bytes spacing =
        millimetres.empty() ? Bytes() : element(dicom::kSpacingBetweenSlices, "DS", millimetres);
    const Bytes thickness = thick.empty() ? Bytes() : element(dicom::kSliceThickness, "DS", thick);
    const Bytes measures = sequence(
        dicom::kPixelMeasuresSequence,
        item(joined({thickness, spacing, element(dicom::kPixelSpacing, "DS", std::string("0.5\\0.25"))})));
    const Bytes turned =
        sequence(dicom::kPlaneOrientationSequence,
                 item(element(dicom::kImageOrientation, "DS", std::string("1\\0\\0\\0\\1\\0"))));
    elements[dicom::kSharedGroups] = sequence(dicom::kSharedGroups, item(joined({turned, measures})));
    return *this;
  }
  SegFile& pixels(const Bytes& bytes) {
    elements[dicom::kPixelData] = element(dicom::kPixelData, "OB", bytes);
    return *this;
  }
  [[nodiscard]] Bytes bytes() const {
    Bytes data;
    for (const auto& [tag, own] : elements) data.insert(data.end(), own.begin(), own.end());
    return dicom_file(data, syntax);
  }
};

/// Two frames of 3×2 pixels, 2 mm apart, of one segment: bits 0 and 5 of the first, 1 of the second.
inline SegFile sound_seg() {
  SegFile file;
  file.set(dicom::kSopClass, "UI", std::string(dicom::kSegmentationStorage))
      .set(dicom::kSegmentationType, "CS", "BINARY");
  file.set(dicom::kRows, 2)
      .set(dicom::kColumns, 3)
      .set(dicom::kSamplesPerPixel, 1)
      .set(dicom::kPixelSigned, 0);
  file.set(dicom::kBitsAllocated, 1).set(dicom::kBitsStored, 1).between("2").segments({{1, "liver"}});
  return file.frames({{1, "10\\20\\30"}, {1, "10\\20\\32"}}).pixels({0b10100001, 0});
}

/// Everything at 8 bits, of that type.
inline SegFile sound_bytes(const std::string& type, const Bytes& pixels) {
  SegFile file = sound_seg();
  if (type == "LABELMAP") file.set(dicom::kSopClass, "UI", std::string(dicom::kLabelMapStorage));
  file.set(dicom::kSegmentationType, "CS", type).set(dicom::kBitsAllocated, 8).set(dicom::kBitsStored, 8);
  return file.pixels(pixels);
}

}  // namespace crema::files::testing
