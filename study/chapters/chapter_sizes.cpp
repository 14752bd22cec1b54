// SPDX-License-Identifier: Apache-2.0
// tab:5, tab:6 and tab:10: sizes against the majority vote and the average, and slice by slice against 3-D.
#include <map>

#include "study/chapters/section_parts.h"

namespace crema::study {
namespace {

std::vector<std::string> change_columns() {
  return {"cases", "mean_pct", "mean_pct_cases", "pooled_pct", "larger_pct", "not_smaller_pct"};
}

Row change_cells(const SizeChange& change) {
  return {change.cases(),
          cell(change.percentages().value()),
          change.percentages().count(),
          cell(change.pooled()),
          cell(change.larger()),
          cell(change.not_smaller())};
}

class HardSizes : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    const Result* const majority = result_of(variants, facts, "majority");
    if (majority == nullptr) return;
    for (const Result& result : facts.results)
      if (variants[result.variant].kind == "hard" && result.variant != majority->variant)
        changes_[result.variant].add(result.voxels, majority->voxels);
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:5",
        "Sizes of hard consensuses against the majority vote",
        "In percent: the mean of the cases' changes of size, where the majority vote is not empty, the "
        "change of the sizes of all cases together, and the share of cases strictly larger and not "
        "smaller than the majority vote.",
        {variant_columns(change_columns()), {}},
        {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const SizeChange* change = changes_.find(v);
      if (change == nullptr || change->cases() == 0) continue;
      Row row = variant_cells(variants[v]);
      add(row, change_cells(*change));
      built.table.rows.push_back(std::move(row));
    }
    if (built.table.rows.empty())
      built.missing = {lacking("the majority vote and another hard method", cohort_command("RUN", ""))};
    return built;
  }

 private:
  PerVariant<SizeChange> changes_;
};

class SoftSizes : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    const Result* const average = result_of(variants, facts, "average");
    if (average == nullptr) return;
    for (const Result& result : facts.results) {
      const Variant& variant = variants[result.variant];
      if (variant.kind != "soft" || result.variant == average->variant) continue;
      Pair& pair = pairs_[result.variant];
      pair.soft.add(result.soft_volume, average->soft_volume);
      pair.thresholded.add(result.voxels, average->voxels);
      (variant.empty_test == "false" ? without_ : with_) |= !variant.empty_test.empty();
    }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    std::vector<std::string> columns = change_columns();
    columns.insert(columns.begin(), "measure");
    Section built{
        "tab:6",
        "Sizes of soft consensuses against the average",
        "As tab:5, for the soft volume, the sum of levels, and for the voxels with a level above 0.5.",
        {variant_columns(columns), {}},
        {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Pair* pair = pairs_.find(v);
      if (pair == nullptr || pair->soft.cases() == 0) continue;
      for (const bool soft : {true, false}) {
        Row row = variant_cells(variants[v]);
        row.emplace_back(soft ? "soft volume" : "thresholded");
        add(row, change_cells(soft ? pair->soft : pair->thresholded));
        built.table.rows.push_back(std::move(row));
      }
    }
    if (built.table.rows.empty())
      built.missing = {lacking("the average and another soft method", cohort_command("RUN", ""))};
    else if (!without_)
      built.missing = {lacking("results without the test of the empty set",
                               cohort_command("RUN-no-empty-test", "--no-empty-test"))};
    else if (!with_)
      built.missing = {lacking("results with the test of the empty set", cohort_command("RUN", ""))};
    return built;
  }

 private:
  struct Pair {
    SizeChange soft, thresholded;
  };
  PerVariant<Pair> pairs_;
  bool with_ = false, without_ = false;
};

class Slices : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    const Result* const majority = result_of(variants, facts, "majority");
    for (const Result& whole : facts.results)
      for (const Result& sliced : facts.results)
        if (belong_together(variants[whole.variant], variants[sliced.variant]))
          compare(whole, sliced, majority);
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:10",
        "Slice by slice (2.5D) against 3-D",
        "On the same cases, in percent: the mean change of size against the majority vote in 3-D and "
        "slice by slice, and the share of cases in which 3-D is strictly larger or smaller. Soft results "
        "by their voxels above 0.5.",
        {variant_columns({"cases", "mean_pct_3d", "mean_pct_3d_cases", "mean_pct_slices",
                          "mean_pct_slices_cases", "larger_3d_pct", "smaller_3d_pct"}),
         {}},
        {}};
    for (const auto& [pair, one] : pairs_) {
      const auto share = [cases = one.cases](std::int64_t count) {
        return 100 * static_cast<double>(count) / static_cast<double>(cases);
      };
      Row row = variant_cells(variants[pair.second]);
      add(row, {one.cases, cell(one.whole.value()), one.whole.count(), cell(one.sliced.value()),
                one.sliced.count(), share(one.larger), share(one.smaller)});
      built.table.rows.push_back(std::move(row));
    }
    if (built.table.rows.empty())
      built.missing = {
          lacking("the same cases slice by slice", cohort_command("RUN-slices", "--slice-wise"))};
    return built;
  }

 private:
  struct Pair {
    std::int64_t cases = 0, larger = 0, smaller = 0;
    Mean whole, sliced;
  };

  static bool belong_together(const Variant& whole, const Variant& sliced) {
    return whole.slice_wise.empty() && !sliced.slice_wise.empty() && whole.method == sliced.method &&
           whole.blocks == sliced.blocks && whole.empty_test == sliced.empty_test;
  }

  void compare(const Result& whole, const Result& sliced, const Result* majority) {
    Pair& pair = pairs_[{whole.variant, sliced.variant}];
    ++pair.cases;
    pair.larger += whole.voxels > sliced.voxels ? 1 : 0;
    pair.smaller += whole.voxels < sliced.voxels ? 1 : 0;
    if (majority == nullptr || majority->voxels <= 0) return;
    pair.whole.add(100 * (whole.voxels - majority->voxels) / majority->voxels);
    pair.sliced.add(100 * (sliced.voxels - majority->voxels) / majority->voxels);
  }

  std::map<std::pair<std::size_t, std::size_t>, Pair> pairs_;
};

}  // namespace

std::unique_ptr<SectionBuilder> hard_sizes_section() { return std::make_unique<HardSizes>(); }
std::unique_ptr<SectionBuilder> soft_sizes_section() { return std::make_unique<SoftSizes>(); }
std::unique_ptr<SectionBuilder> slices_section() { return std::make_unique<Slices>(); }

}  // namespace crema::study
