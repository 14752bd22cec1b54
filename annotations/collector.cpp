// SPDX-License-Identifier: Apache-2.0
#include "annotations/collector.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::annotations {
namespace {

/// "12 boxes, points or lines have no area and are left out."
void report_count(std::int64_t count, std::string_view one, std::string_view several, WarningKind kind,
                  Warnings& warnings) {
  if (count > 0) warnings.push_back({fmt::format("{} {}", count, count == 1 ? one : several), kind});
}

bool known(Extent size) { return size.width > 0; }

}  // namespace

std::size_t Collector::picture(const Picture& one) {
  const auto [found, added] = pictures_.emplace(one.file, dataset_.pictures.size());
  if (added) {
    dataset_.pictures.push_back(one);
    return found->second;
  }
  Picture& before = dataset_.pictures[found->second];
  if (!known(before.size)) before.size = one.size;
  if (known(one.size) && before.size != one.size)
    throw InputError(fmt::format(
        "picture {}: has {} × {} pixels, but {} × {} elsewhere; annotations of one "
        "picture need one size.",
        printable(one.file), one.size.width, one.size.height, before.size.width, before.size.height));
  return found->second;
}

std::size_t Collector::category(const Category& one) {
  const auto [found, added] = categories_.emplace(one.name, dataset_.categories.size());
  if (added) dataset_.categories.push_back(one);
  return found->second;
}

std::size_t Collector::annotator(const std::string& name) {
  const auto [found, added] = annotators_.emplace(name, dataset_.annotators.size());
  if (added) dataset_.annotators.push_back({name, {}, {}});
  return found->second;
}

void Collector::looked_at(std::size_t annotator, std::size_t picture) {
  if (!seen_.insert(std::uint64_t{annotator} << 32 | picture).second)
    throw InputError(fmt::format("picture {}: {} has annotated it twice; keep one of both.",
                                 printable(dataset_.pictures[picture].file),
                                 printable(dataset_.annotators[annotator].name)));
  dataset_.annotators[annotator].pictures.push_back(picture);
}

void Collector::object(std::size_t annotator, Object object) {
  const Picture& picture = dataset_.pictures[object.picture];
  const Inside where = inside(object.shape, picture.size);
  if (where == Inside::outside) {
    const Point first = std::get<Polygons>(object.shape).rings.front().front();
    throw InputError(
        fmt::format("the polygon that starts at ({}, {}) lies outside of picture {}, which has "
                    "{} × {} pixels; correct the size or the polygon.",
                    first.x, first.y, printable(picture.file), picture.size.width, picture.size.height));
  }
  if (where == Inside::partly) ++left_out.cut;
  dataset_.annotators[annotator].objects.push_back(std::move(object));
}

Dataset Collector::whole() && {
  Warnings& warnings = dataset_.warnings;
  report_count(left_out.without_shape, "box, point or line has no outline and is left out.",
               "boxes, points or lines have no outline and are left out.", WarningKind::left_out, warnings);
  report_count(left_out.cancelled, "annotation was skipped by its annotator and is left out.",
               "annotations were skipped by their annotators and are left out.", WarningKind::left_out,
               warnings);
  report_count(left_out.cut, "polygon reaches beyond its picture and is cut off there.",
               "polygons reach beyond their pictures and are cut off there.", WarningKind::values, warnings);
  if (dataset_.pictures.empty())
    throw InputError("no annotation names a picture; export annotations together with their pictures.");
  return std::move(dataset_);
}

}  // namespace crema::annotations
