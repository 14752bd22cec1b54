// SPDX-License-Identifier: Apache-2.0
#include "annotations/objects/import_objects.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/records/table.h"

namespace crema::annotations {
namespace {

constexpr std::int32_t kMargin = 8;
constexpr std::size_t kMaxAnnotators = 64;

/// The box of some objects.
struct Window {
  std::int32_t left = INT32_MAX, top = INT32_MAX, right = 0, bottom = 0;

  void add(const Patch& mask) {
    left = std::min(left, mask.left);
    top = std::min(top, mask.top);
    right = std::max(right, mask.left + mask.box.width);
    bottom = std::max(bottom, mask.top + mask.box.height);
  }
  [[nodiscard]] Extent size() const { return {right - left, bottom - top}; }
  void append_to(std::vector<Cell>& row) const {
    for (const std::int32_t number : {left, top, right - left, bottom - top})
      row.emplace_back(std::int64_t{number});
  }
  [[nodiscard]] Window widened(Extent picture) const {
    return {std::max(0, left - kMargin), std::max(0, top - kMargin), std::min(picture.width, right + kMargin),
            std::min(picture.height, bottom + kMargin)};
  }
};

Window window_of(const std::vector<Seen>& objects, const std::vector<std::size_t>& some) {
  Window window;
  for (const std::size_t i : some) window.add(objects[i].mask);
  return window;
}

Drawing draw_in(const Patch& mask, const CaseRecord& one, Extent box) {
  Patch moved = mask;
  moved.left -= one.left;
  moved.top -= one.top;
  const Patch whole = on_picture(moved, box);
  return {HardImage(std::span<const std::uint8_t>(whole.pixels)), header_of(box)};
}

}  // namespace

const std::string& ObjectImport::who(const Seen& object) const {
  return dataset_.annotators[looked_[object.annotator]].name;
}

void ObjectImport::take(std::size_t picture, const std::string& name, const PictureObjects& drawn,
                        Record& record) {
  if (drawn.size() > kMaxAnnotators)
    throw InputError(fmt::format("picture {}: {} annotators looked at it; at most {} can be matched.",
                                 printable(dataset_.pictures[picture].file), drawn.size(), kMaxAnnotators));
  std::map<std::size_t, std::vector<Seen>> by_category;
  looked_.clear();
  for (const auto& [annotator, objects] : drawn) {
    looked_.push_back(annotator);
    for (const Object* one : objects) {
      Seen seen{looked_.size() - 1, cropped(rasterise(one->shape, dataset_.pictures[picture].size))};
      seen.area = area_of(seen.mask);
      if (seen.area > 0) by_category[one->category].push_back(std::move(seen));
    }
  }
  for (auto& [category, objects] : by_category) take_category(picture, name, category, objects, record);
}

void ObjectImport::take_category(std::size_t picture, const std::string& name, std::size_t category,
                                 const std::vector<Seen>& objects, Record& record) {
  const Picture& on = dataset_.pictures[picture];
  Matching matching;
  try {
    matching = match_objects(objects, options_);
  } catch (const InputError& e) {
    throw InputError(fmt::format("picture {}: {}", printable(on.file), e.sentence.marked()));
  }
  std::size_t number = 0;
  for (const std::vector<std::size_t>& cluster : matching.clusters) {
    const bool enough = suffices(cluster.size(), looked_.size(), options_);
    const Window window = window_of(objects, cluster);
    CaseRecord one{"", picture, category};
    if (enough) {
      const Window wide = window.widened(on.size);
      one.name = fmt::format("{} {} {}", name, dataset_.categories[category].name, ++number);
      one.left = wide.left;
      one.top = wide.top;
      put_case(one, wide.size(), objects, cluster);
      record.cases.push_back(one);
    }
    ++(enough ? kept_ : too_few_);
    std::string all;
    for (const std::size_t i : cluster) all += (all.empty() ? "" : ";") + who(objects[i]);
    std::vector<Cell> row{
        name, dataset_.categories[category].name, one.name, std::ssize(cluster), std::ssize(looked_), all};
    window.append_to(row);
    table_ += csv_rows({row});
  }
  list_splits(name, category, objects, matching.splits);
}

void ObjectImport::put_case(const CaseRecord& one, Extent box, const std::vector<Seen>& objects,
                            const std::vector<std::size_t>& cluster) {
  if (options_.keep == Keep::nearest_box) {
    const Seen& chosen = objects[nearest_to_mean_box(objects, cluster)];
    folder_.put(one.name, who(chosen), draw_in(chosen.mask, one, box));
    return;
  }
  for (const std::size_t i : cluster)
    folder_.put(one.name, who(objects[i]), draw_in(objects[i].mask, one, box));
}

void ObjectImport::list_splits(const std::string& name, std::size_t category,
                               const std::vector<Seen>& objects, const std::vector<Split>& splits) {
  for (const Split& one : splits) {
    const Seen& whole = objects[one.whole];
    ++split_count_;
    std::vector<Cell> row{name, dataset_.categories[category].name, who(whole)};
    window_of(objects, {one.whole}).append_to(row);
    row.emplace_back(who(objects[one.pieces.front()]));
    row.emplace_back(std::ssize(one.pieces));
    splits_ += csv_rows({row});
  }
}

void ObjectImport::finish(ImportReport& report) {
  if (kept_ == 0)
    throw InputError(
        fmt::format("No object was drawn by enough annotators; {} were drawn by fewer. Lower {}.", too_few_,
                    Sentence::setting("quorum")));
  folder_.put_text("objects.csv", csv_header({"picture", "category", "case", "annotators", "looked", "who",
                                              "left", "top", "width", "height"}) +
                                      table_);
  folder_.put_text("splits.csv", csv_header({"picture", "category", "annotator", "left", "top", "width",
                                             "height", "other_annotator", "other_objects"}) +
                                     splits_);
  report.too_few = too_few_;
  report.splits = split_count_;
}

}  // namespace crema::annotations
