// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/outlines/structures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "files/dicom/elements/bytes.h"
#include "files/dicom/elements/characters.h"
#include "files/io/sentence.h"
#include "files/io/text_header.h"
#include "files/values/values.h"

namespace crema::files::dicom {
namespace {

constexpr std::array kEnteredForOutlines{kStructureRois, kRoiContours, kContours};

/// The outlines of one structure, as they are stated beside their description.
struct Drawn {
  std::optional<std::int64_t> number;
  std::string colour, unfilled;
  std::vector<Outline> outlines;
  std::int64_t left_out = 0;
};

/// One outline being read.
struct Stated {
  std::string type;
  std::optional<std::int64_t> points;
  std::vector<double> numbers;
};

/// Numbers as text of any length, a piece at a time.
std::vector<double> all_numbers_of(ElementReader& reader, const Element& element) {
  std::vector<double> numbers;
  std::string word;
  const auto take = [&] {
    const std::string_view text = trimmed(word);
    const auto number = parse_real(text.starts_with('+') ? text.substr(1) : text);
    if (!number || !std::isfinite(*number))
      refuse(reader.path(), "{} holds '{}', which is not a number; it is damaged: copy or save it again",
             tag_text(element.tag), printable(word.substr(0, 40)));
    numbers.push_back(*number);
    word.clear();
  };
  for (std::int64_t at = 0; at < element.length;) {
    const std::int64_t count = std::min(element.length - at, ElementReader::kMaxValue);
    for (const std::uint8_t byte : reader.bytes(element.offset + at, count)) {
      if (byte == '\\')
        take();
      else if (byte != 0)
        word += static_cast<char>(byte);
      if (word.size() > 64) take();  // which refuses it: no number is as long
    }
    at += count;
  }
  if (element.length > 0) take();
  return numbers;
}

std::string colour_text(const std::vector<double>& rgb) {
  return fmt::format("{:.6f} {:.6f} {:.6f}", rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);
}

class OutlineGatherer {
 public:
  explicit OutlineGatherer(ElementReader& reader) : reader_(reader) {}

  void item(const Path& path) {
    finish_outline();
    if (path == Path{kStructureRois}) structures.emplace_back();
    if (path == Path{kRoiContours}) drawn.emplace_back();
    if (path == Path{kRoiContours, kContours}) stated_.emplace();
  }

  void value(const Path& path, const Element& element) {
    if (path.size() < 2) finish_outline();
    if (path.empty() && element.tag == kCharacterSet) characters = text_of(reader_, element);
    if (path == Path{kStructureRois}) describe(element);
    if (path == Path{kRoiContours}) draw(element);
    if (path == Path{kRoiContours, kContours}) state(element);
  }

  void finish_outline() {
    if (!stated_) return;
    Drawn& own = drawn.back();
    const Stated stated = std::move(*stated_);
    stated_.reset();
    const std::size_t count = stated.numbers.size();
    if (count == 0 || count % 3 != 0 || (stated.points && *stated.points != std::int64_t(count / 3)))
      refuse(reader_.path(),
             "outline {} of structure {} of the file has {} numbers, not three for each of its {} points; it "
             "is damaged: copy or save it again",
             own.outlines.size() + static_cast<std::size_t>(own.left_out) + 1, drawn.size(), count,
             stated.points.value_or(std::int64_t(count / 3)));
    // Even-odd is what the second says, and how the first are filled here.
    const bool closed = stated.type == "CLOSED_PLANAR" || stated.type == "CLOSEDPLANAR_XOR";
    if (!closed) own.unfilled = stated.type.empty() ? "(none)" : stated.type;
    if (!closed || count < 9) {
      ++own.left_out;
      return;
    }
    Outline outline(count / 3);
    for (std::size_t i = 0; i < count; ++i) outline[i / 3][i % 3] = stated.numbers[i];
    own.outlines.push_back(std::move(outline));
  }

  std::vector<Structure> structures;
  std::vector<Drawn> drawn;
  std::string characters;

 private:
  void describe(const Element& element) {
    Structure& own = structures.back();
    if (element.tag == kRoiNumber) own.number = integer_of(reader_, element);
    if (element.tag == kRoiName) own.name = text_of(reader_, element);
    if (element.tag == kRoiFrameOfReference) own.frame_of_reference = text_of(reader_, element);
  }

  void draw(const Element& element) {
    Drawn& own = drawn.back();
    if (element.tag == kReferencedRoi) own.number = integer_of(reader_, element);
    if (element.tag != kRoiColour || element.length == 0) return;
    own.colour = colour_text(numbers_of(reader_, element, 3));
  }

  void state(const Element& element) {
    if (!stated_) return;
    if (element.tag == kContourType) stated_->type = text_of(reader_, element);
    if (element.tag == kContourPoints) stated_->points = integer_of(reader_, element);
    if (element.tag == kContourData) stated_->numbers = all_numbers_of(reader_, element);
  }

  ElementReader& reader_;
  std::optional<Stated> stated_;
};

/// Gives each structure its outlines.
void join(std::vector<Structure>& structures, std::vector<Drawn>& drawn, const std::filesystem::path& path) {
  std::map<std::int64_t, Structure*> by_number;
  for (Structure& one : structures)
    if (!by_number.emplace(one.number, &one).second)
      refuse(path, "has two structures of the number {}; it is damaged: copy or save it again", one.number);
  for (Drawn& one : drawn) {
    const auto found = by_number.find(one.number.value_or(-1));
    if (!one.number || found == by_number.end())
      refuse(path,
             "has outlines of a structure {} that is not described, or described twice; it is damaged: copy "
             "or save it again",
             one.number ? std::to_string(*one.number) : "without a number");
    found->second->outlines = std::move(one.outlines);
    found->second->colour = one.colour;
    found->second->unfilled = one.unfilled;
    found->second->left_out = one.left_out;
    by_number.erase(found);
  }
}

}  // namespace

StructureSet read_structures(const Source& source, std::string_view syntax, const ReadOptions& options) {
  // A coordinate takes two bytes or more in the file and a double here, twice while it is read.
  check_memory(source.path(), 8 * static_cast<double>(source.size()), options);
  ElementReader reader(source);
  std::int64_t first = 0;
  read_meta(reader, first);
  OutlineGatherer found(reader);
  const Visitor visitor{.value = [&](const Path& path, const Element& own) { found.value(path, own); },
                        .item = [&](const Path& path) { found.item(path); }};
  walk(reader, first, syntax, kEnteredForOutlines, visitor);
  found.finish_outline();
  join(found.structures, found.drawn, source.path());
  StructureSet set;
  std::string kinds;
  for (Structure& one : found.structures) {
    one.name = utf8_of(one.name, found.characters, source.path(), set.warnings);
    if (one.name.empty()) one.name = fmt::format("structure {}", one.number);
    if (one.unfilled.empty() || !one.outlines.empty()) {
      set.structures.push_back(std::move(one));
      continue;
    }
    const std::string what = fmt::format("'{}' has outlines of type {}, which enclose no area",
                                         printable(one.name), printable(one.unfilled));
    kinds += "; " + what;
    set.warnings.push_back({sentence(source.path(), "{}; it is left out", what), WarningKind::left_out});
  }
  if (set.structures.empty())
    refuse(source.path(), "is an RT structure set without a structure of closed planar outlines{}", kinds);
  return set;
}

}  // namespace crema::files::dicom
