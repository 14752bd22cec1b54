// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/label_studio.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "annotations/formats/fields.h"
#include "annotations/formats/label_studio_regions.h"
#include "annotations/shapes/outline.h"
#include "annotations/shapes/rle.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::annotations {
namespace {

/// The picture of a task: under the usual name, or the one text that the task has.
Picture picture_of(const Json& task) {
  const Json& data = member(task, "data");
  if (!is_object(data)) throw InputError("data is missing; export the project as JSON, not as JSON-MIN.");
  const auto& members = std::get<Json::Object>(data.value());
  const auto is_text = [](const auto& one) { return std::holds_alternative<std::string>(one.value.value()); };
  auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& one) { return one.name == "image"; });
  if (found == members.end() && std::count_if(members.begin(), members.end(), is_text) == 1)
    found = std::find_if(members.begin(), members.end(), is_text);
  if (found == members.end() || !is_text(*found) || text_in(found->value).empty())
    throw InputError("data has no picture under the name image.");
  return {std::string(text_in(found->value)), {}, id_of(task, "id"), found->name};
}

/// Whoever completed an annotation: an address, a name or a number.
std::string completed_by(const Json& annotation, const std::string& otherwise) {
  const Json& who = member(annotation, "completed_by");
  for (const std::string_view name : {"email", "username"})
    if (const std::string_view known = text_in(member(who, name)); !known.empty()) return std::string(known);
  const Json& number = is_object(who) ? member(who, "id") : who;
  if (const std::string_view known = text_in(number); !known.empty()) return std::string(known);
  return std::holds_alternative<std::int64_t>(number.value()) ? fmt::format("{}", whole_in(number))
                                                              : otherwise;
}

/// The labels of a region, whatever its control calls them.
const Json::Array& labels_of(const Json& value) {
  for (const std::string_view name :
       {"brushlabels", "polygonlabels", "rectanglelabels", "ellipselabels", "labels"})
    if (const Json::Array& found = list_in(member(value, name)); !found.empty()) return found;
  return list_in(Json());
}

/// One annotation of a task.
class TaskReader {
 public:
  TaskReader(Picture& picture, Collector& all) : picture_(picture), all_(all) {}

  /// Sizes stand in the regions alone.
  void find_size(const Json::Array& results) {
    for (const Json& result : results) {
      const Json& value = member(result, "value");
      if (drawn_in(result) != Drawn::area) continue;
      check_same_picture(text_in(member(result, "to_name")));
      const Extent size = extent(result, "original_width", "original_height");
      if (known(picture_.size) && picture_.size != size)
        throw InputError(fmt::format("the picture has {} × {} pixels, but {} × {} elsewhere in the task.",
                                     size.width, size.height, picture_.size.width, picture_.size.height));
      picture_.size = size;
      remember_control(result, value);
    }
  }

  void read(const Json::Array& results, std::size_t annotator, std::size_t picture) {
    std::set<std::string_view> seen;
    for (const Json& result : results)
      if (!labels_of(member(result, "value")).empty()) seen.insert(text_in(member(result, "id")));
    for (std::size_t i = 0; i < results.size(); ++i)
      at("result", i, [&] { region(results[i], seen, annotator, picture); });
  }

 private:
  /// A brush comes before a polygon, since it can hold any mask as one region.
  void remember_control(const Json& result, const Json& value) {
    const bool polygon = !list_in(member(value, "points")).empty();
    if (!polygon && list_in(member(value, "rle")).empty()) return;
    if (!picture_.from.empty() && (polygon || !picture_.polygons)) return;
    picture_.from = text_in(member(result, "from_name"));
    picture_.to = text_in(member(result, "to_name"));
    picture_.polygons = polygon;
  }

  /// Regions name the control that shows their picture.
  void check_same_picture(std::string_view control) {
    if (control_.empty()) control_ = control;
    if (!control.empty() && control != control_)
      throw InputError(
          fmt::format("there are regions on {} and on {}, but one picture for each task is read; make tasks "
                      "of one picture.",
                      printable(control_), printable(control)));
  }

  void region(const Json& result, std::set<std::string_view>& seen, std::size_t annotator,
              std::size_t picture) {
    const Json& value = member(result, "value");
    const Drawn drawn = drawn_in(result);
    if (drawn == Drawn::other) all_.without_area(annotator, picture);
    if (drawn != Drawn::area) return;
    const Json::Array& labels = labels_of(value);
    // A region without labels of its own is repeated by each control that says something about it.
    const std::string_view id = text_in(member(result, "id"));
    if (labels.empty() && !id.empty() && !seen.insert(id).second) return;
    if (const Json& turned = member(result, "image_rotation");
        !std::holds_alternative<std::nullptr_t>(turned.value()) && coordinate(turned) != 0)
      throw InputError("the picture was turned while it was annotated, which is not read; turn it back.");
    const Shape shape = region_shape(value, picture_.size);
    if (labels.empty()) all_.object(annotator, {picture, all_.category({"object"}), shape});
    for (const Json& label : labels) {
      if (text_in(label).empty()) throw InputError("a label is not a text.");
      all_.object(annotator, {picture, all_.category({std::string(text_in(label))}), shape});
    }
  }

  Picture& picture_;
  Collector& all_;
  std::string control_;
};

bool has_annotations(const Json& task) {
  return is_object(task) && !std::holds_alternative<std::nullptr_t>(member(task, "annotations").value());
}

void read_task(const Json& task, const std::string& rater, Collector& all) {
  Picture picture = picture_of(task);
  TaskReader reader(picture, all);
  if (!has_annotations(task)) return;  // predictions alone
  const Json::Array& annotations = list(task, "annotations");
  for (std::size_t i = 0; i < annotations.size(); ++i)
    at("annotations", i, [&] { reader.find_size(list(annotations[i], "result")); });
  for (std::size_t i = 0; i < annotations.size(); ++i)
    at("annotations", i, [&] {
      const Json& one = annotations[i];
      if (is_true(one, "was_cancelled")) {
        all.cancelled(completed_by(one, rater), picture.file);
        return;
      }
      const std::size_t place = all.picture(picture);
      const std::size_t annotator = all.annotator(completed_by(one, rater));
      all.looked_at(annotator, place);
      reader.read(list(one, "result"), annotator, place);
    });
}

/// A region of the control that drew on the picture.
Json region_of(const Picture& picture, std::string id, Json value, const std::string& label) {
  const char* const kind = picture.polygons ? "polygonlabels" : "brushlabels";
  value[kind] = Json::Array{label};
  return {{"id", std::move(id)},
          {"type", kind},
          {"from_name", picture.from.empty() ? std::string("tag") : picture.from},
          {"to_name", picture.to.empty() ? std::string("image") : picture.to},
          {"original_width", picture.size.width},
          {"original_height", picture.size.height},
          {"image_rotation", 0},
          {"value", std::move(value)}};
}

Json percent_ring(const std::vector<Point>& ring, Extent picture) {
  Json::Array points;
  for (const Point& point : ring)
    points.push_back(Json::Array{100 * point.x / picture.width, 100 * point.y / picture.height});
  return {{"points", std::move(points)}, {"closed", true}};
}

/// One region of a brush; of polygons one for each part.
void add_regions(const Picture& picture, const FusedObject& one, const std::string& label, std::size_t number,
                 Json::Array& regions) {
  const Patch part = rasterise(one.mask, picture.size);
  const std::string id = fmt::format("crema-{}", number);
  if (!picture.polygons) {
    const Runs rows = runs_of(on_picture(part, picture.size), Runs::Order::rows);
    regions.push_back(region_of(picture, id, {{"format", "rle"}, {"rle", pack_brush(rows)}}, label));
    return;
  }
  std::size_t ring = 0;
  for (const std::vector<Point>& outline : outlines_of(part))
    regions.push_back(
        region_of(picture, fmt::format("{}-{}", id, ++ring), percent_ring(outline, picture.size), label));
}

/// Where nobody drew with a control that can show the consensus, one that drew on another picture does.
void lend_control(std::vector<Picture>& pictures) {
  const auto lender =
      std::find_if(pictures.begin(), pictures.end(), [](const Picture& one) { return !one.from.empty(); });
  if (lender == pictures.end()) return;
  for (Picture& one : pictures)
    if (one.from.empty()) {
      one.from = lender->from;
      one.to = lender->to;
      one.polygons = lender->polygons;
    }
}

}  // namespace

bool is_label_studio(const Document& document) {
  const auto* const json = std::get_if<Json>(&document.content);
  if (json == nullptr || list_in(*json).empty()) return false;
  const Json::Array& tasks = list_in(*json);
  return std::any_of(tasks.begin(), tasks.end(), [](const Json& task) { return has_annotations(task); });
}

void read_label_studio(const Document& document, Collector& all) {
  const Json::Array& tasks = list_in(std::get<Json>(document.content));
  std::unordered_set<std::int64_t> ids;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    at("task", i, [&] {
      check_id(id_of(tasks[i], "id"), ids);
      read_task(tasks[i], document.rater, all);
    });
}

std::string write_label_studio(const Consensus& consensus) {
  Json::Array tasks;
  std::vector<Picture> pictures = consensus.pictures;
  lend_control(pictures);
  std::size_t next = 0;
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    const Picture& picture = pictures[p];
    Json::Array regions;
    for (; next < consensus.objects.size() && consensus.objects[next].picture == p; ++next)
      add_regions(picture, consensus.objects[next],
                  consensus.categories[consensus.objects[next].category].name, next + 1, regions);
    Json data = Json::object();
    data[picture.field.empty() ? "image" : picture.field] = picture.file;
    tasks.push_back({{"id", picture.id.value_or(0)},
                     {"data", data},
                     {"meta", {{"description", consensus.description}}},
                     {"annotations", Json::Array{{{"result", regions}, {"was_cancelled", false}}}}});
  }
  return line_of(tasks) + "\n";
}

}  // namespace crema::annotations
