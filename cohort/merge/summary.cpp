// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/summary.h"

#include <algorithm>

#include "cohort/run/column.h"

namespace crema::cohort {
namespace {

template <class List>
auto find_in(List& list, std::string_view method, std::string_view label) {
  return std::find_if(list.begin(), list.end(),
                      [&](const auto& one) { return one.method == method && one.label == label; });
}

/// The mean over a case's raters.
void add_overlaps(const Json& raters, std::vector<MethodMeasures>& measures) {
  const JsonColumn method(raters, "method"), label(raters, "label"), dice(raters, "dice");
  std::vector<std::int64_t> counted(measures.size());
  for (std::size_t r = 1; r < list_in(raters).size(); ++r) {
    const Json& row = list_in(raters)[r];
    const auto found = find_in(measures, text_in(method.of(row)), text_in(label.of(row)));
    const std::optional<double> overlap = dice.number(row);
    if (found == measures.end() || !overlap) continue;
    found->glance.dice = found->glance.dice.value_or(0) + *overlap;
    ++counted[static_cast<std::size_t>(found - measures.begin())];
  }
  for (std::size_t m = 0; m < measures.size(); ++m)
    if (counted[m] > 0) *measures[m].glance.dice /= static_cast<double>(counted[m]);
}

void put(Values& values, const std::optional<double>& value) {
  if (value) values.add(*value);
}

}  // namespace

std::vector<MethodMeasures> measures_in(const Json& methods, const Json& raters) {
  std::vector<MethodMeasures> measures;
  const JsonColumn name(methods, "method"), label(methods, "label"), kept(methods, "kept"),
      volume(methods, "volume_mm3"), area(methods, "area_mm2"), soft(methods, "soft_volume"),
      distance(methods, "distance"), against(methods, "size_vs_majority_pct");
  for (std::size_t r = 1; r < list_in(methods).size(); ++r) {
    const Json& row = list_in(methods)[r];
    const JsonColumn lmsd(methods, "lmsd_" + std::string(text_in(distance.of(row))));
    measures.push_back({std::string(text_in(name.of(row))),
                        std::string(text_in(label.of(row))),
                        {kept.number(row),
                         volume.number(row),
                         area.number(row),
                         soft.number(row),
                         lmsd.number(row),
                         against.number(row),
                         {}}});
  }
  add_overlaps(raters, measures);
  return measures;
}

void Summariser::add(const std::vector<MethodMeasures>& one) {
  for (const MethodMeasures& measures : one) {
    auto found = find_in(all_, measures.method, measures.label);
    if (found == all_.end()) {
      all_.push_back({measures.method, measures.label});
      found = all_.end() - 1;
    }
    const MethodGlance& glance = measures.glance;
    ++found->cases;
    for (std::size_t u = 0; u < found->sizes.size(); ++u) {
      const std::optional<double> size = size_in(glance, static_cast<SizeUnit>(u));
      found->everywhere[u] = found->everywhere[u] && size.has_value();
      put(found->sizes[u], size);
    }
    put(found->kept, glance.kept);
    put(found->lmsd, glance.lmsd);
    put(found->against_majority, glance.against_majority);
    put(found->dice, glance.dice);
  }
}

SizeUnit Summariser::unit() const {
  if (all_.empty()) return SizeUnit::voxels;
  for (const SizeUnit unit : {SizeUnit::cubic_mm, SizeUnit::square_mm})
    if (std::all_of(all_.begin(), all_.end(),
                    [&](const Gathered& one) { return one.everywhere[static_cast<std::size_t>(unit)]; }))
      return unit;
  return SizeUnit::voxels;
}

std::vector<MethodSummary> Summariser::summaries() const {
  std::vector<MethodSummary> found;
  const auto size_unit = static_cast<std::size_t>(unit());
  for (const Gathered& one : all_)
    found.push_back({one.method, one.label, one.cases, one.kept.over_cases(),
                     one.sizes[size_unit].over_cases(), one.lmsd.over_cases(),
                     one.against_majority.over_cases(), one.dice.over_cases()});
  return found;
}

}  // namespace crema::cohort
