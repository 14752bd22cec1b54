// SPDX-License-Identifier: Apache-2.0
#include "study/background_curves.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/agreement/background.h"
#include "crema/base/text.h"
#include "crema/tables/method.h"
#include "study/chapters/section_parts.h"
#include "study/statistics/bootstrap.h"

namespace crema::study {
namespace {

/// Boxes by their margin, then the image, then wider and wider ones.
std::int64_t order_of(const std::string& size) {
  if (size == "image") return std::int64_t{1} << 40;
  std::int64_t number = 0;
  for (const char c : size)
    if (c >= '0' && c <= '9') number = 10 * number + (c - '0');
  return size.starts_with("box") ? number : (std::int64_t{1} << 41) + number;
}

Section cases_section() {
  return {"background",
          "Results in images of other sizes, case by case",
          "What fig_1a.csv and fig_1b.csv are means of, with the voxels that at least one, two and three "
          "raters drew.",
          {{"case", "method", "image", "image_voxels", "union_voxels", "drawn_by_two", "drawn_by_three",
            "voxels", "soft_volume", "entropy"},
           {}},
          {},
          false};
}

Section sizes_section() {
  return {
      "fig:1a",
      "Results in images of other sizes",
      "Each method that works on counts, in the raters' bounding box, in wider boxes, in the image and in "
      "one with more background: means over cases and standard deviations. Where raters fill the image it is "
      "the box. Against_box: the soft volume "
      "against that in the box; of_union: the voxels above 0.5 against the union of all raters; is_union: "
      "the share of cases in which they are the union; all in percent. Low and high: 95 % bootstrap "
      "intervals of the mean over cases.",
      {{"method", "image", "cases", "image_voxels", "voxels", "voxels_sd", "soft_volume", "soft_volume_sd",
        "entropy", "entropy_sd", "against_box_pct", "against_box_pct_cases", "against_box_pct_sd",
        "of_union_pct", "is_union_pct", "soft_volume_low", "soft_volume_high", "of_union_low",
        "of_union_high"},
       {}},
      {}};
}

Section priors_section() {
  return {
      "fig:1b",
      "STAPLE's priors in images of other sizes",
      "Voxels above 0.5 in percent of the union, with the prior w = A/N^alpha: mean over cases and standard "
      "deviation.",
      {{"method", "image", "cases", "of_union_pct", "of_union_pct_sd"}, {}},
      {}};
}

Row interval_cells(const std::vector<double>& values) {
  const std::optional<Interval> found = bootstrap_mean(values);
  return {found ? Cell(found->low) : cell({}), found ? Cell(found->high) : cell({})};
}

}  // namespace

BackgroundCurves::Point& BackgroundCurves::point(const ExtentCurve& curve, const std::string& size) {
  const std::string name = to_string(curve);
  const auto [place, fresh] = places_.try_emplace(name + "|" + size, points_.size());
  if (fresh)
    points_.push_back({.curve = name,
                       .size = size,
                       .prior = curve.alpha.has_value() && curve.method->origin == Origin::paper});
  return points_[place->second];
}

void BackgroundCurves::take(const CountedCase& one) {
  if (one.reduction().levels) {
    ++levels_;
  } else if (!one.reduction().crowns.empty()) {  // else nobody drew anything that could be measured
    take(one.one.name, study_background(one.reduction(), one.counted.options));
  }
}

void BackgroundCurves::take(const std::string& name, const BackgroundStudy& study) {
  if (study.union_voxels == 0) return;
  const auto drawn_by = [&](std::size_t raters) {
    return raters <= study.drawn_by_least.size() ? study.drawn_by_least[raters - 1] : 0;
  };
  for (const ExtentCurve& curve : study.curves)
    for (std::size_t s = 0; s < curve.at.size(); ++s)
      cases_.push_back({name, to_string(curve), to_string(study.sizes[s]), study.sizes[s].voxels,
                        study.union_voxels, drawn_by(2), drawn_by(3), curve.at[s].voxels,
                        curve.at[s].soft_volume, curve.at[s].entropy});
  for (const ExtentCurve& curve : study.curves) {
    // Where the raters' box fills the image, the image is the box too: a mean has the same cases for both.
    if (study.image == 0) add_case(study, curve, 0, "box");
    for (std::size_t s = 0; s < curve.at.size(); ++s) add_case(study, curve, s, to_string(study.sizes[s]));
  }
}

void BackgroundCurves::add_case(const BackgroundStudy& study, const ExtentCurve& curve, std::size_t s,
                                const std::string& size) {
  const Extent& extent = curve.at[s];
  Point& at = point(curve, size);
  at.image.add(static_cast<double>(study.sizes[s].voxels));
  at.voxels.add(static_cast<double>(extent.voxels));
  at.soft.add(extent.soft_volume);
  at.soft_of_cases.push_back(extent.soft_volume);
  at.entropy.add(extent.entropy);
  at.against_box.add(percent_of_change(curve.at.front().soft_volume, extent.soft_volume));
  at.is_union.add(extent.voxels == study.union_voxels ? 100 : 0);
  at.union_of_cases.push_back(100 * static_cast<double>(extent.voxels) /
                              static_cast<double>(study.union_voxels));
  at.of_union.add(at.union_of_cases.back());
}

std::vector<std::string> BackgroundCurves::failures() const {
  if (levels_ == 0) return {};
  return {fmt::format("Background curves need masks, and {} fused from probabilities; {}",
                      crema::counted(levels_, "case was", "cases were"),
                      "`crema cohort run DATA -o RUN --threshold 0.5` makes a run of masks.")};
}

Section BackgroundCurves::cases() const {
  Section result = cases_section();
  result.table.rows = cases_;
  return result;
}

Section BackgroundCurves::sizes() const {
  Section result = sizes_section();
  result.missing = failures();
  std::vector<const Point*> sorted;
  for (const Point& one : points_) sorted.push_back(&one);
  const auto first = [&](const Point* one) { return places_.at(one->curve + "|" + points_.front().size); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Point* a, const Point* b) {
    if (a->curve != b->curve) return first(a) < first(b);
    return order_of(a->size) < order_of(b->size);
  });
  for (const Point* one : sorted) {
    Row row = {one->curve,
               one->size,
               one->image.count(),
               cell(one->image.value()),
               cell(one->voxels.value()),
               cell(one->voxels.deviation()),
               cell(one->soft.value()),
               cell(one->soft.deviation()),
               cell(one->entropy.value()),
               cell(one->entropy.deviation()),
               cell(one->against_box.value()),
               one->against_box.count(),
               cell(one->against_box.deviation()),
               cell(one->of_union.value()),
               cell(one->is_union.value())};
    add(row, interval_cells(one->soft_of_cases));
    add(row, interval_cells(one->union_of_cases));
    result.table.rows.push_back(std::move(row));
  }
  return result;
}

Section BackgroundCurves::priors() const {
  Section result = priors_section();
  result.missing = failures();
  std::vector<const Point*> sorted;
  for (const Point& one : points_)
    if (one.prior) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Point* a, const Point* b) {
    if (a->curve != b->curve) return a->curve < b->curve;
    return order_of(a->size) < order_of(b->size);
  });
  for (const Point* one : sorted)
    result.table.rows.push_back({one->curve, one->size, one->of_union.count(), cell(one->of_union.value()),
                                 cell(one->of_union.deviation())});
  return result;
}

std::vector<Section> background_not_requested() {
  std::vector<Section> result{cases_section(), sizes_section(), priors_section()};
  for (Section& section : result)
    if (section.on_page)
      section.missing = {
          "Not computed, as it reads all masks again; run `crema study RUN -o TABLES --background`."};
  return result;
}

}  // namespace crema::study
