// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/coco.h"

#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "annotations/formats/fields.h"
#include "annotations/shapes/rle.h"
#include "crema/base/error.h"

namespace crema::annotations {
namespace {

using Places = std::unordered_map<std::int64_t, std::size_t>;

/// The objects of a list by their ids; no id may be there twice.
template <class F>
Places by_id(const Json& json, std::string_view name, F take) {
  Places places;
  std::unordered_set<std::int64_t> ids;
  const Json::Array& all = list(json, name);
  for (std::size_t i = 0; i < all.size(); ++i)
    at(name, i, [&] {
      const std::int64_t id = id_of(all[i], "id");
      check_id(id, ids);
      places.emplace(id, take(all[i], id));
    });
  return places;
}

std::size_t place_of(const Places& places, const Json& json, std::string_view name, std::string_view what) {
  const std::int64_t id = id_of(json, name);
  const auto found = places.find(id);
  if (found == places.end())
    throw InputError(fmt::format("{} is {}, but no {} has that id.", name, id, what));
  return found->second;
}

std::vector<Point> ring_of(const Json& json) {
  const auto* const numbers = std::get_if<Json::Array>(&json.value());
  if (numbers == nullptr) throw InputError("a polygon is not a list of numbers.");
  if (numbers->size() < 6 || numbers->size() % 2 != 0)
    throw InputError(fmt::format("a polygon has {} numbers; x and y of at least three points are expected.",
                                 numbers->size()));
  std::vector<Point> ring;
  ring.reserve(numbers->size() / 2);
  for (std::size_t i = 0; i < numbers->size(); i += 2)
    ring.push_back({coordinate((*numbers)[i]), coordinate((*numbers)[i + 1])});
  return ring;
}

Shape coco_runs(const Json& json, Extent picture) {
  const std::vector<std::int64_t> size = wholes<std::int64_t>(list(json, "size"), kMaxSide);
  if (size.size() != 2 || size[0] != picture.height || size[1] != picture.width)
    throw InputError(fmt::format("the runs are of {}, but the picture has {} rows and {} columns.",
                                 line_of(member(json, "size")), picture.height, picture.width));
  Runs runs{Runs::Order::columns, 0, 0, picture, {}};
  const Json& counts = member(json, "counts");
  runs.counts = std::holds_alternative<std::string>(counts.value())
                    ? unpack_coco(text_in(counts))
                    : wholes<std::uint32_t>(list(json, "counts"), INT32_MAX);
  check_sum(runs);
  return runs;
}

bool is_nothing(const Json& json) { return std::holds_alternative<std::nullptr_t>(json.value()); }

/// Nothing where an annotation has no box, or one without an area.
std::optional<Shape> coco_box(const Json& annotation) {
  if (is_nothing(member(annotation, "bbox"))) return std::nullopt;
  const Json::Array& box = list(annotation, "bbox");
  if (box.empty()) return std::nullopt;
  if (box.size() != 4)
    throw InputError(fmt::format("bbox has {} numbers; x, y, width and height are expected.", box.size()));
  const Point low{coordinate(box[0]), coordinate(box[1])};
  const double width = coordinate(box[2]), height = coordinate(box[3]);
  if (!(width > 0 && height > 0)) return std::nullopt;
  return turned_box(low, {low.x + width, low.y + height}, 0, low);
}

/// The outline; where there is none, the box.
std::optional<Shape> coco_shape(const Json& annotation, Extent picture) {
  const Json& segmentation = member(annotation, "segmentation");
  if (is_object(segmentation)) return coco_runs(segmentation, picture);
  if (is_nothing(segmentation)) return coco_box(annotation);
  Polygons polygons;
  for (const Json& ring : list(annotation, "segmentation")) polygons.rings.push_back(ring_of(ring));
  if (polygons.rings.empty()) return coco_box(annotation);
  return polygons;
}

}  // namespace

bool is_coco(const Document& document) {
  const auto* const json = std::get_if<Json>(&document.content);
  return json != nullptr && is_object(*json) &&
         std::holds_alternative<Json::Array>(member(*json, "annotations").value()) &&
         std::holds_alternative<Json::Array>(member(*json, "images").value());
}

void read_coco(const Document& document, Collector& all) {
  const Json& json = std::get<Json>(document.content);
  const std::size_t annotator = all.annotator(document.rater);
  const Places categories = by_id(json, "categories", [&](const Json& one, std::int64_t id) {
    return all.category(
        {std::string(text(one, "name")), id, "", std::string(text_in(member(one, "supercategory")))});
  });
  std::unordered_map<std::size_t, Extent> size_of;
  const Places pictures = by_id(json, "images", [&](const Json& one, std::int64_t id) {
    const Extent size = extent(one, "width", "height");
    const std::size_t picture = all.picture({std::string(text(one, "file_name")), size, id});
    all.looked_at(annotator, picture);
    size_of[picture] = size;
    return picture;
  });
  const Json::Array& annotations = list(json, "annotations");
  std::unordered_set<std::int64_t> ids;
  for (std::size_t i = 0; i < annotations.size(); ++i)
    at("annotations", i, [&] {
      const Json& one = annotations[i];
      check_id(id_of(one, "id"), ids);
      const std::size_t picture = place_of(pictures, one, "image_id", "image");
      const std::size_t category = place_of(categories, one, "category_id", "category");
      std::optional<Shape> shape = coco_shape(one, size_of.at(picture));
      if (shape)
        all.object(annotator, {picture, category, std::move(*shape), whole_in(member(one, "iscrowd")) == 1});
      else
        all.without_area(annotator, picture);
    });
}

std::string write_coco(const Consensus& consensus) {
  Json json = {{"info", {{"description", consensus.description}}}, {"licenses", Json::array()}};
  json["images"] = Json::array();
  json["annotations"] = Json::array();
  json["categories"] = Json::array();
  for (const Picture& one : consensus.pictures)
    if (known(one.size))
      json["images"].push_back({{"id", one.id.value_or(0)},
                                {"file_name", one.file},
                                {"width", one.size.width},
                                {"height", one.size.height}});
  for (const Category& one : consensus.categories) {
    Json category{{"id", one.id.value_or(0)}, {"name", one.name}};
    if (!one.group.empty()) category["supercategory"] = one.group;
    json["categories"].push_back(std::move(category));
  }
  std::int64_t id = 0;
  for (const FusedObject& one : consensus.objects) {
    const Picture& picture = consensus.pictures[one.picture];
    const Patch part = rasterise(one.mask, picture.size);
    const Runs runs = runs_of(on_picture(part, picture.size), Runs::Order::columns);
    json["annotations"].push_back(
        {{"id", ++id},
         {"image_id", picture.id.value_or(0)},
         {"category_id", consensus.categories[one.category].id.value_or(0)},
         {"iscrowd", 0},
         {"area", area_of(part)},
         {"bbox", Json::Array{part.left, part.top, part.box.width, part.box.height}},
         {"segmentation",
          {{"size", Json::Array{picture.size.height, picture.size.width}},
           {"counts", pack_coco(runs.counts)}}}});
  }
  return line_of(json) + "\n";
}

}  // namespace crema::annotations
