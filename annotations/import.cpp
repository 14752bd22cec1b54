// SPDX-License-Identifier: Apache-2.0
#include "annotations/import.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "annotations/import_folder.h"
#include "annotations/names.h"
#include "annotations/objects/import_objects.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::annotations {
namespace {

void check_drawing(const ImportRequest& request, const Picture& picture, std::size_t categories) {
  const std::int64_t bytes = drawing_bytes(picture.size, categories);
  if (bytes > request.max_memory)
    throw ResourceError(
        fmt::format("picture {}: its {} × {} pixels need about {} MB, but {} MB are allowed; allow "
                    "more by {}.",
                    printable(picture.file), picture.size.width, picture.size.height, bytes / 1'000'000,
                    request.max_memory / 1'000'000, Sentence::setting("max_memory")));
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
                    ImportFolder& folder) {
  const Extent size = dataset.pictures[one.picture].size;
  const std::vector<std::size_t> present = present_on(drawn);
  for (const auto& [annotator, objects] : drawn)
    folder.put(
        one.name, dataset.annotators[annotator].name,
        one.category ? draw_mask(size, objects) : draw_segments(size, objects, dataset.categories, present));
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
        {fmt::format("{} left out: nobody drew on {}, and the export does not say how large {}.",
                     counted(std::int64_t(count), "picture is", "pictures are"), count == 1 ? "it" : "them",
                     count == 1 ? "it is" : "they are"),
         WarningKind::left_out});
}

/// COCO's and CVAT's ids are kept; those that are not there are numbered.
void number_ids(Record& record) {
  const auto unnumbered = [](const Category& one) { return one.id == 0; };
  if (std::all_of(record.categories.begin(), record.categories.end(), unnumbered))
    for (std::size_t i = 0; i < record.categories.size(); ++i)
      record.categories[i].id = static_cast<std::int64_t>(i) + 1;
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
    throw InputError(together(request.paths) +
                     ": no annotator drew an outline; name exports that hold polygons or masks.");
  report.segments = dataset.categories.size() > 1 && !request.instances;
  Record record{found.tool, dataset.pictures, dataset.categories, {}};
  number_ids(record);
  ImportFolder folder(request.folder);
  ObjectImport objects(dataset, request.instances.value_or(InstanceOptions{}), folder);
  const std::vector<std::string> names = case_names(dataset.pictures);
  const std::vector<PictureObjects> drawn = by_picture(dataset);
  std::size_t unsized = 0;
  for (std::size_t p = 0; p < drawn.size(); ++p) {
    if (dataset.pictures[p].size.width == 0) {
      ++unsized;
      continue;
    }
    check_drawing(request, dataset.pictures[p], report.segments ? dataset.categories.size() : 1);
    ++report.pictures;
    if (request.instances) {
      objects.take(p, names[p], drawn[p], record);
      continue;
    }
    record.cases.push_back({names[p], p, report.segments ? std::nullopt : std::optional<std::size_t>(0)});
    import_picture(dataset, drawn[p], record.cases.back(), folder);
  }
  report_unsized(unsized, report.warnings);
  if (request.instances) objects.finish(report);
  report.cases = record.cases.size();
  folder.publish(record);
  return report;
}

}  // namespace crema::annotations
