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

void append_to(std::vector<Cell>& row, const Window& window) {
  const Extent size = window.size();
  for (const std::int32_t number : {window.left, window.top, size.width, size.height})
    row.emplace_back(std::int64_t{number});
}

Window widened(const Window& window, Extent picture) {
  return {std::max(0, window.left - kMargin), std::max(0, window.top - kMargin),
          std::min(picture.width, window.right + kMargin), std::min(picture.height, window.bottom + kMargin)};
}

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
                        Record& record, Examples& unmarked) {
  if (drawn.size() > kMaxAnnotators)
    throw InputError(fmt::format("picture {}: {} annotators looked at it; at most {} can be matched.",
                                 printable(dataset_.pictures[picture].file), drawn.size(), kMaxAnnotators));
  std::map<std::size_t, std::vector<Seen>> by_category;
  looked_.clear();
  for (const auto& [annotator, objects] : drawn) {
    looked_.push_back(annotator);
    for (const Object* one : objects) {
      if (one->crowd) {
        ++crowds_;
        continue;
      }
      Seen seen{looked_.size() - 1, cropped(rasterise(one->shape, dataset_.pictures[picture].size))};
      seen.area = area_of(seen.mask);
      if (seen.area == 0)
        unmarked.add(1, dataset_.annotators[annotator].name, dataset_.pictures[picture].file);
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
      const Window wide = widened(window, on.size);
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
    append_to(row, window);
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
    append_to(row, window_of(objects, {one.whole}));
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
  if (crowds_ > 0)
    report.warnings.push_back({fmt::format("{} left out: iscrowd says that several objects are in it.",
                                           counted(crowds_, "outline is", "outlines are")),
                               WarningKind::left_out});
  report.too_few = too_few_;
  report.splits = split_count_;
}

}  // namespace crema::annotations
