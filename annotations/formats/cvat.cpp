// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/cvat.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "annotations/formats/fields.h"
#include "annotations/shapes/rle.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::annotations {
namespace {

const std::string& value_of(const XmlElement& element, std::string_view name) {
  const std::string* const found = element.attribute(name);
  if (found == nullptr || found->empty()) throw InputError(fmt::format("{} is missing.", name));
  return *found;
}

/// The number that a text is from its first to its last character.
template <class Number>
Number number_in(std::string_view text, std::string_view name, Number low, Number high) {
  const std::string_view spelled = trimmed(text);
  Number number{};
  const auto read = std::from_chars(spelled.data(), spelled.data() + spelled.size(), number);
  if (read.ec != std::errc() || read.ptr != spelled.data() + spelled.size() ||
      !(number >= low && number <= high))
    throw InputError(fmt::format("{} is {}, but a number from {} to {} is expected.", name,
                                 printable(spelled.substr(0, 40)), low, high));
  return number;
}

std::int32_t side_of(const XmlElement& element, std::string_view name, std::int32_t low) {
  return number_in<std::int32_t>(value_of(element, name), name, low, std::int32_t{kMaxSide});
}

/// Calls `take` with each part between separators.
template <class F>
void each_part(std::string_view text, char separator, F take) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    take(text.substr(start, end - start));
    start = end + 1;
  }
}

Shape polygon_of(const XmlElement& element) {
  std::vector<Point> ring;
  each_part(value_of(element, "points"), ';', [&](std::string_view point) {
    const std::size_t comma = std::min(point.find(','), point.size());
    const auto number = [](std::string_view part) {
      return number_in<double>(part, "a coordinate", -kMaxCoordinate, kMaxCoordinate);
    };
    ring.push_back({number(point.substr(0, comma)), number(point.substr(std::min(comma + 1, point.size())))});
  });
  if (ring.size() < 3)
    throw InputError(fmt::format("a polygon has {} points; at least three are expected.", ring.size()));
  return Polygons{{std::move(ring)}};
}

Shape mask_of(const XmlElement& element, Extent picture) {
  Runs runs{Runs::Order::rows,
            side_of(element, "left", 0),
            side_of(element, "top", 0),
            {side_of(element, "width", 1), side_of(element, "height", 1)},
            {}};
  if (runs.left + runs.box.width > picture.width || runs.top + runs.box.height > picture.height)
    throw InputError(fmt::format("the mask reaches to ({}, {}), but its picture has {} × {} pixels.",
                                 runs.left + runs.box.width, runs.top + runs.box.height, picture.width,
                                 picture.height));
  each_part(value_of(element, "rle"), ',', [&](std::string_view part) {
    runs.counts.push_back(number_in<std::uint32_t>(part, "a run", 0, INT32_MAX));
  });
  check_sum(runs);
  return runs;
}

double place_of(const XmlElement& element, std::string_view name) {
  return number_in<double>(value_of(element, name), name, -kMaxCoordinate, kMaxCoordinate);
}

/// Degrees, clockwise about the middle of a shape.
double rotation_of(const XmlElement& element) {
  return element.attribute("rotation") == nullptr ? 0 : place_of(element, "rotation");
}

Shape box_of(const XmlElement& element) {
  const Point low{place_of(element, "xtl"), place_of(element, "ytl")};
  const Point high{place_of(element, "xbr"), place_of(element, "ybr")};
  return turned_box(low, high, rotation_of(element), {(low.x + high.x) / 2, (low.y + high.y) / 2});
}

Shape ellipse_of(const XmlElement& element) {
  return Ellipse{{place_of(element, "cx"), place_of(element, "cy")},
                 place_of(element, "rx"),
                 place_of(element, "ry"),
                 rotation_of(element)};
}

/// Nothing for an element that is no area, such as a tag.
std::optional<Shape> shape_of(const XmlElement& element, Extent picture) {
  if (element.name == "polygon") return polygon_of(element);
  if (element.name == "mask") return mask_of(element, picture);
  if (element.name == "box") return box_of(element);
  if (element.name == "ellipse") return ellipse_of(element);
  return std::nullopt;
}

bool has_no_area(std::string_view name) {
  return name == "polyline" || name == "points" || name == "cuboid" || name == "skeleton";
}

void read_picture(const XmlElement& element, std::size_t annotator, Collector& all) {
  const Extent size{side_of(element, "width", 1), side_of(element, "height", 1)};
  const std::size_t picture =
      all.picture({value_of(element, "name"), size,
                   number_in<std::int64_t>(value_of(element, "id"), "id", 0, std::int64_t{1} << 53)});
  all.looked_at(annotator, picture);
  for (std::size_t i = 0; i < element.children.size(); ++i)
    at(element.children[i].name, i, [&] {
      const XmlElement& one = element.children[i];
      if (has_no_area(one.name)) all.without_area(annotator, picture);
      if (std::optional<Shape> shape = shape_of(one, size))
        all.object(annotator, {picture, all.category({value_of(one, "label")}), std::move(*shape)});
    });
}

/// Labels may stand in the description of a job, a task or a project.
void read_labels(const XmlElement& element, Collector& all) {
  if (element.name == "label") {
    const XmlElement* const name = element.child("name");
    const XmlElement* const colour = element.child("color");
    if (name != nullptr && !name->text.empty())
      all.category({name->text, {}, colour != nullptr ? colour->text : ""});
    return;
  }
  for (const XmlElement& child : element.children) read_labels(child, all);
}

std::string picture_text(const Consensus& consensus, std::size_t number, std::size_t& next) {
  const Picture& picture = consensus.pictures[number];
  std::string text =
      fmt::format("  <image id=\"{}\" name=\"{}\" width=\"{}\" height=\"{}\">\n", picture.id.value_or(0),
                  escape_xml(picture.file), picture.size.width, picture.size.height);
  for (; next < consensus.objects.size() && consensus.objects[next].picture == number; ++next) {
    const FusedObject& one = consensus.objects[next];
    text += fmt::format(
        "    <mask label=\"{}\" source=\"semi-auto\" occluded=\"0\" rle=\"{}\" left=\"{}\" top=\"{}\" "
        "width=\"{}\" height=\"{}\" z_order=\"0\">\n    </mask>\n",
        escape_xml(consensus.categories[one.category].name), fmt::join(one.mask.counts, ", "), one.mask.left,
        one.mask.top, one.mask.box.width, one.mask.box.height);
  }
  return text + "  </image>\n";
}

}  // namespace

bool is_cvat(const Document& document) {
  const auto* const xml = std::get_if<XmlElement>(&document.content);
  return xml != nullptr && xml->name == "annotations";
}

void read_cvat(const Document& document, Collector& all) {
  const XmlElement& root = std::get<XmlElement>(document.content);
  const std::size_t annotator = all.annotator(document.rater);
  if (const XmlElement* const meta = root.child("meta")) read_labels(*meta, all);
  std::size_t images = 0;
  for (const XmlElement& one : root.children) {
    if (one.name == "track")
      throw InputError("holds tracks of a video; export the job as CVAT for images 1.1.");
    if (one.name == "image") at("image", images++, [&] { read_picture(one, annotator, all); });
  }
}

std::string write_cvat(const Consensus& consensus) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<annotations>\n  <version>1.1</version>\n  <meta>\n"
      "    <task>\n      <labels>\n";
  for (const Category& one : consensus.categories)
    text += fmt::format(
        "        <label>\n          <name>{}</name>\n          <color>{}</color>\n          "
        "<type>any</type>\n"
        "          <attributes>\n          </attributes>\n        </label>\n",
        escape_xml(one.name), escape_xml(one.colour));
  text += fmt::format("      </labels>\n    </task>\n    <source>{}</source>\n  </meta>\n",
                      escape_xml(consensus.description));
  std::size_t next = 0;
  for (std::size_t i = 0; i < consensus.pictures.size(); ++i)
    if (known(consensus.pictures[i].size)) text += picture_text(consensus, i, next);
  return text + "</annotations>\n";
}

}  // namespace crema::annotations
