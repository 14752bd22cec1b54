// SPDX-License-Identifier: Apache-2.0
#include "annotations/import.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "annotations/import_folder.h"
#include "annotations/names.h"
#include "annotations/objects/import_objects.h"
#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/text.h"

namespace crema::annotations {
namespace {

void check_drawing(const ImportRequest& request, const Picture& picture, std::size_t categories) {
  const std::int64_t bytes = drawing_bytes(picture.size, categories);
  if (bytes > request.max_memory)
    throw ResourceError(
        fmt::format("picture {}: its {} × {} pixels need about {}, but {} are allowed; allow "
                    "more by {}.",
                    printable(picture.file), picture.size.width, picture.size.height, megabytes(bytes),
                    megabytes(request.max_memory), Sentence::setting("max_memory")));
}

/// Categories that somebody drew on a picture; the first one where nobody drew any.
std::vector<std::size_t> present_on(const PictureObjects& drawn) {
  std::vector<std::size_t> present;
  for (const auto& [annotator, objects] : drawn)
    for (const Object* one : objects) present.push_back(one->category);
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  if (present.empty()) present.push_back(0);
  return present;
}

void import_picture(const Dataset& dataset, const PictureObjects& drawn, const CaseRecord& one,
                    ImportFolder& folder, Examples& unmarked) {
  const Extent size = dataset.pictures[one.picture].size;
  const std::vector<std::size_t> present = present_on(drawn);
  for (const auto& [annotator, objects] : drawn) {
    const std::string& who = dataset.annotators[annotator].name;
    const Drawing drawing =
        one.category ? draw_mask(size, objects) : draw_segments(size, objects, dataset.categories, present);
    unmarked.add(drawing.unmarked, who, dataset.pictures[one.picture].file);
    folder.put(one.name, who, drawing);
  }
}

/// What each picture got, by annotator; those who drew nothing are there, too.
std::vector<PictureObjects> by_picture(const Dataset& dataset) {
  std::vector<PictureObjects> all(dataset.pictures.size());
  for (std::size_t a = 0; a < dataset.annotators.size(); ++a) {
    for (const std::size_t picture : dataset.annotators[a].pictures) all[picture][a];
    for (const Object& one : dataset.annotators[a].objects) all[one.picture][a].push_back(&one);
  }
  return all;
}

void report_unsized(std::size_t count, Warnings& warnings) {
  if (count > 0)
    warnings.push_back(
        {fmt::format("{} left out: nobody drew an area on {}, and the export does not say how large {}.",
                     counted(std::int64_t(count), "picture is", "pictures are"), count == 1 ? "it" : "them",
                     count == 1 ? "it is" : "they are"),
         WarningKind::left_out});
}

const std::string& name_of(const Picture& one) { return one.file; }
const std::string& name_of(const Category& one) { return one.name; }

/// Ids are kept while they are unique: files number their pictures and categories by themselves, so that one
/// id may stand for two of them. What has no id, or one that is taken, gets the next free one.
template <class Item>
void number_ids(std::vector<Item>& items, std::string_view one, std::string_view several,
                Warnings& warnings) {
  std::set<std::int64_t> used;
  std::vector<Item*> unnumbered;
  for (Item& item : items)
    if (!item.id || !used.insert(*item.id).second) unnumbered.push_back(&item);
  std::int64_t next = 1, clashes = 0;
  std::string example;
  for (Item* const item : unnumbered) {
    while (!used.insert(next).second) ++next;
    if (item->id && clashes++ == 0)
      example = fmt::format("{} had {} and has {} now", printable(name_of(*item)), *item->id, next);
    item->id = next;
  }
  if (clashes > 0)
    warnings.push_back({fmt::format("{}, because {} taken: {}.", counted(clashes, one, several),
                                    clashes == 1 ? "its id is" : "their ids are", example),
                        WarningKind::values});
}

}  // namespace

ImportReport import_annotations(const ImportRequest& request) {
  const Export found = read_exports(request.paths, request.max_memory);
  const Dataset& dataset = found.dataset;
  ImportReport report{.tool = found.tool,
                      .annotators = dataset.annotators.size(),
                      .categories = dataset.categories.size(),
                      .warnings = dataset.warnings};
  for (const Annotator& one : dataset.annotators) report.objects += std::ssize(one.objects);
  if (report.objects == 0)
    throw InputError(
        together(request.paths) +
        ": no annotator drew an area; name exports that hold polygons, masks, boxes or ellipses.");
  report.segments = dataset.categories.size() > 1 && !request.instances;
  Record record{found.tool, dataset.pictures, dataset.categories, {}};
  number_ids(record.pictures, "picture gets a new id", "pictures get new ids", report.warnings);
  number_ids(record.categories, "category gets a new id", "categories get new ids", report.warnings);
  ImportFolder folder(request.folder);
  ObjectImport objects(dataset, request.instances.value_or(InstanceOptions{}), folder);
  const std::vector<std::string> names = case_names(dataset.pictures);
  const std::vector<PictureObjects> drawn = by_picture(dataset);
  std::size_t unsized = 0;
  for (std::size_t p = 0; p < drawn.size(); ++p) {
    if (!known(dataset.pictures[p].size)) {
      ++unsized;
      continue;
    }
    check_drawing(request, dataset.pictures[p], report.segments ? dataset.categories.size() : 1);
    ++report.pictures;
    if (drawn[p].empty()) continue;  // nobody's answer is known
    if (request.instances) {
      objects.take(p, names[p], drawn[p], record, report.unmarked);
      continue;
    }
    record.cases.push_back({names[p], p, report.segments ? std::nullopt : std::optional<std::size_t>(0)});
    import_picture(dataset, drawn[p], record.cases.back(), folder, report.unmarked);
  }
  report_unsized(unsized, report.warnings);
  if (request.instances) objects.finish(report);
  report.unmarked.report("outline lies between the centres of pixels and marks none",
                         "outlines lie between the centres of pixels and mark none", WarningKind::values,
                         report.warnings);
  report.cases = record.cases.size();
  folder.publish(record);
  return report;
}

}  // namespace crema::annotations
