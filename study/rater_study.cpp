// SPDX-License-Identifier: Apache-2.0
// What needs the raters' masks again.
#include "study/rater_study.h"

#include <set>

#include "crema/agreement/confidence/panel.h"
#include "crema/agreement/pairs.h"
#include "crema/agreement/percentile.h"
#include "study/chapters/section_parts.h"
#include "study/statistics/bootstrap.h"

namespace crema::study {
namespace {

const Method& method_of(const CountedCase& one) { return *one.run.request.methods.front(); }

/// Options of a case with nothing left to say to anybody.
Options options_of(const CountedCase& one) {
  Options options = one.counted.options;
  options.method = method_of(one).name;
  return options;
}

}  // namespace

void RaterStudy::take(const CountedCase& one) {
  const Reduction& reduction = one.reduction();
  if (volumes_.identity() == Identity::unknown || reduction.raters < 2) return;
  const Raters all = everyone(reduction.raters);
  const std::vector<std::string> names = one.raters();
  const std::vector<VoxelSet> drawn = sets_of_raters(reduction);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const VoxelSet others = consensus_of(reduction, all & ~(Raters{1} << k), method_of(one), options_of(one));
    const Measured f1 = dice({drawn[k].voxels, others.voxels, count_common(drawn[k], others)});
    f1_.push_back({one.number, names_(names[k]), f1.value_or(1)});
  }
}

void PanelStudy::take(const CountedCase& one) {
  const int raters = one.reduction().raters;
  if (raters < 2) return;
  std::set<int> counted;
  for (const PanelResult& found : compare_panels(one.reduction(), method_of(one), options_of(one), kSeed)) {
    Panels& panels = sizes_[{raters, found.raters}];
    if (counted.insert(found.raters).second) ++panels.cases;
    panels.against_rest.push_back(found.against_rest);
    panels.against_all.push_back(found.against_all);
  }
}

Section PanelStudy::section() const {
  Section result{
      "panel",
      "How many raters are enough",
      "The consensus (first method of the run) of every panel of so many of a case's raters, at most 200 "
      "drawn, against the consensus of those who are not in it and against that of all raters, each formed "
      "as if nobody else had drawn: Dice, median and quartiles over panels and cases.",
      {{"raters", "panel", "cases", "panels", "rest_low_quartile", "rest_median", "rest_high_quartile",
        "all_low_quartile", "all_median", "all_high_quartile"},
       {}},
      {}};
  for (const auto& [size, panels] : sizes_) {
    Row row{std::int64_t{size.first}, std::int64_t{size.second}, static_cast<std::int64_t>(panels.cases),
            std::ssize(panels.against_rest)};
    for (const auto* values : {&panels.against_rest, &panels.against_all})
      for (const double share : {0.25, 0.5, 0.75}) row.emplace_back(percentile(*values, share));
    result.table.rows.push_back(std::move(row));
  }
  if (result.table.rows.empty())
    result.missing = {"No case has two raters; `crema cohort list DATA` shows who has which case."};
  return result;
}

}  // namespace crema::study
