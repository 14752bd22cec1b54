// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/segmentation.h"

#include <algorithm>
#include <set>

#include "files/dicom/elements/attributes.h"
#include "files/dicom/elements/characters.h"
#include "files/dicom/elements/tags.h"
#include "files/format.h"
#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

namespace fs = std::filesystem;

void check_class(const Attributes& found, const fs::path& path) {
  if (found.sop_class == kSegmentationStorage || found.sop_class == kLabelMapStorage) return;
  const std::string what =
      found.sop_class.empty() ? "no kind of object" : printable(std::string(name_of_uid(found.sop_class)));
  const bool image = what.ends_with("image") && !what.starts_with("an enhanced");
  refuse(path,
         "is a DICOM file that holds {}, not a segmentation; give the segmentation (DICOM SEG) or the RT "
         "structure set, or {}",
         what,
         image ? fmt::format("name its folder, {}, where its series is meant",
                             printable(path.has_parent_path() ? path.parent_path() : fs::path(".")))
               : "convert it to NIfTI");
}

void check_tiles(const Attributes& found, const fs::path& path) {
  if (!found.slide && !found.organisation.starts_with("TILED")) return;
  refuse(
      path,
      "is a tiled segmentation{}, of a slide that is cut into pieces; export its mask as TIFF or PNG first",
      found.organisation.empty() ? "" : " (" + printable(found.organisation) + ")");
}

Kind kind_of(const Attributes& found, const fs::path& path) {
  const bool map = found.sop_class == kLabelMapStorage;
  if (found.type == "BINARY" && !map) return Kind::binary;
  if (found.type == "FRACTIONAL" && !map) return Kind::fractional;
  if (found.type == "LABELMAP" && map) return Kind::label_map;
  refuse(path,
         "its segmentation type is '{}', not BINARY, FRACTIONAL or LABELMAP; it is damaged: copy or save it "
         "again",
         printable(found.type));
}

void check_pixels(const Attributes& found, Kind kind, const fs::path& path) {
  const bool narrow = kind == Kind::binary ? found.bits == 1 : found.bits == 8;
  const bool wide = kind == Kind::label_map && found.bits == 16;
  if ((!narrow && !wide) || found.samples != 1 || found.stored != found.bits || found.is_signed != 0)
    refuse(path,
           "a {} segmentation has pixels of {} bits ({} stored, {} samples), which is impossible; it is "
           "damaged: copy or save it again",
           found.type, found.bits, found.stored, found.samples);
  if (kind == Kind::fractional && (found.maximum == 0 || found.maximum > 255))
    refuse(path, "its largest fraction (0062,000E) is {}, not 1 to 255; it is damaged: copy or save it again",
           found.maximum);
  if (kind == Kind::label_map && found.padding != 0)
    refuse(path, "its background has the value {}, but only 0 is supported; save it with background 0",
           found.padding);
}

void check_size(const Attributes& found, const fs::path& path) {
  if (found.rows == 0 || found.columns == 0 || found.frame_count <= 0)
    refuse(path, "declares {} columns, {} rows and {} frames; it is damaged: copy or save it again",
           found.columns, found.rows, found.frame_count);
  if (static_cast<std::int64_t>(found.frames.size()) != found.frame_count)
    refuse(path, "declares {} frames, but describes {}; it is damaged: copy or save it again",
           found.frame_count, found.frames.size());
  if (!found.pixels_found)
    refuse(path, "has no pixels (7FE0,0010); it is cut short: copy or download it again");
  if (found.pixel_length < 0)
    refuse(path, "its pixels lie in fragments, like compressed ones; convert it with 'gdcmconv --raw'");
  // Rows and columns have 16 bits each, and no more frames are there than bytes: the product fits.
  const std::int64_t bits = std::int64_t{found.rows} * found.columns * found.frame_count * found.bits;
  const std::int64_t bytes = (bits + 7) / 8;
  if (found.pixel_length == bytes || found.pixel_length == bytes + bytes % 2) return;
  refuse(
      path,
      "{}×{} pixels in {} frames take {} bytes, but it has {}; it is cut short or damaged: copy or download "
      "it again",
      found.columns, found.rows, found.frame_count, bytes, found.pixel_length);
}

/// Codes that can be written again, of the category and of what is shown; else none.
void take_codes(Segment& segment, const std::string& characters, const fs::path& path, Warnings& warnings) {
  const auto fits = [](const std::string& text) {
    return !text.empty() && text.size() <= 16 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '\\'; });
  };
  const auto whole = [&](const Code& code) {
    return fits(code.value) && fits(code.scheme) && !code.meaning.empty();
  };
  if (!whole(segment.category) || !whole(segment.type)) segment.category = segment.type = {};
  for (Code* const code : {&segment.category, &segment.type})
    code->meaning = utf8_of(code->meaning, characters, path, warnings);
}

/// Names as people read them, and no segment twice.
std::vector<Segment> sound_segments(const Attributes& found, Kind kind, const fs::path& path,
                                    Warnings& warnings) {
  std::vector<Segment> segments;
  std::set<std::uint16_t> numbers;
  for (Segment segment : found.segments) {
    if (kind == Kind::label_map && segment.number == 0) continue;  // the background may have a name
    if (segment.number == 0)
      refuse(path, "segment '{}' has no number, or 0; it is damaged: copy or save it again",
             printable(segment.label));
    if (!numbers.insert(segment.number).second)
      refuse(path, "has two segments of the number {}; it is damaged: copy or save it again", segment.number);
    segment.label = utf8_of(segment.label, found.characters, path, warnings);
    if (segment.label.empty()) segment.label = fmt::format("segment {}", segment.number);
    take_codes(segment, found.characters, path, warnings);
    segments.push_back(std::move(segment));
  }
  if (segments.empty()) refuse(path, "describes no segment; it is damaged: copy or save it again");
  return segments;
}

/// What all frames share is written into each.
std::vector<Frame> sound_frames(Attributes& found, const std::vector<Segment>& segments, Kind kind,
                                const fs::path& path) {
  std::set<std::uint16_t> numbers;
  for (const Segment& segment : segments) numbers.insert(segment.number);
  for (std::size_t f = 0; f < found.frames.size(); ++f) {
    Frame& frame = found.frames[f];
    if (!frame.segment) frame.segment = found.shared_frame.segment;
    if (!frame.position) frame.position = found.shared_frame.position;
    if (kind == Kind::label_map) {
      frame.segment.reset();
      continue;
    }
    if (!frame.segment)
      refuse(path, "frame {} does not name its segment; it is damaged: copy or save it again", f + 1);
    if (!numbers.contains(*frame.segment))
      refuse(path, "frame {} shows segment {}, which is not described; it is damaged: copy or save it again",
             f + 1, *frame.segment);
  }
  return std::move(found.frames);
}

}  // namespace

Segmentation read_segmentation(Attributes found, const fs::path& path) {
  check_class(found, path);
  check_tiles(found, path);
  Segmentation result;
  result.kind = kind_of(found, path);
  check_pixels(found, result.kind, path);
  check_size(found, path);
  result.rows = found.rows;
  result.columns = found.columns;
  result.frame_count = found.frame_count;
  result.bits = found.bits;
  result.maximum = result.kind == Kind::fractional ? found.maximum : 1;
  result.segments = sound_segments(found, result.kind, path, result.warnings);
  result.frames = sound_frames(found, result.segments, result.kind, path);
  result.measures = found.measures;
  result.frame_of_reference = found.frame_of_reference;
  result.pixels = found.pixel_offset;
  result.consensus = found.description == kConsensusMark;
  if (found.zeros > 0)
    result.warnings.push_back(
        {sentence(path, "ends in {} zero bytes of padding; they are ignored", found.zeros),
         WarningKind::file});
  return result;
}

}  // namespace crema::files::dicom
