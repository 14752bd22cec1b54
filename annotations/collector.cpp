// SPDX-License-Identifier: Apache-2.0
#include "annotations/collector.h"

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::annotations {
namespace {

/// "the polygon that starts at (9, 9)"
std::string place_of(const Shape& shape) {
  const auto* const ellipse = std::get_if<Ellipse>(&shape);
  const Point at = ellipse != nullptr ? ellipse->centre : std::get<Polygons>(shape).rings.front().front();
  return fmt::format("the {} ({}, {})", ellipse != nullptr ? "ellipse around" : "polygon that starts at",
                     at.x, at.y);
}

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
  if (where == Inside::outside)
    throw InputError(fmt::format(
        "{} lies outside of picture {}, which has {} × {} pixels; correct the size or "
        "the outline.",
        place_of(object.shape), printable(picture.file), picture.size.width, picture.size.height));
  Annotator& who = dataset_.annotators[annotator];
  if (where == Inside::partly) cut_.add(1, who.name, picture.file);
  who.objects.push_back(std::move(object));
}

void Collector::without_area(std::size_t annotator, std::size_t picture) {
  pointed_at_.emplace(annotator, picture);
  without_area_.add(1, dataset_.annotators[annotator].name, dataset_.pictures[picture].file);
}

void Collector::cancelled(std::string_view annotator, std::string_view picture) {
  cancelled_.add(1, annotator, picture);
}

/// Whoever drew something that cannot be fused, and nothing else, did not say that nothing is there.
void Collector::forget_pointed_at() {
  for (const Annotator& who : dataset_.annotators)
    for (const Object& one : who.objects)
      pointed_at_.erase({static_cast<std::size_t>(&who - dataset_.annotators.data()), one.picture});
  Examples forgotten;
  for (const auto& [annotator, picture] : pointed_at_) {
    Annotator& who = dataset_.annotators[annotator];
    std::erase(who.pictures, picture);
    forgotten.add(1, who.name, dataset_.pictures[picture].file);
  }
  forgotten.report("picture of an annotator holds nothing else and does not count as looked at",
                   "pictures of annotators hold nothing else and do not count as looked at",
                   WarningKind::left_out, dataset_.warnings);
}

Dataset Collector::whole() && {
  Warnings& warnings = dataset_.warnings;
  without_area_.report("point, line or other shape that cannot be fused is left out",
                       "points, lines or other shapes that cannot be fused are left out",
                       WarningKind::left_out, warnings);
  forget_pointed_at();
  cancelled_.report("annotation was skipped by its annotator and is left out",
                    "annotations were skipped by their annotators and are left out", WarningKind::left_out,
                    warnings);
  cut_.report("outline reaches beyond its picture and is cut off there",
              "outlines reach beyond their pictures and are cut off there", WarningKind::values, warnings);
  if (dataset_.pictures.empty())
    throw InputError("no annotation names a picture; export annotations together with their pictures.");
  return std::move(dataset_);
}

}  // namespace crema::annotations
