// SPDX-License-Identifier: Apache-2.0
#include "cohort/gather.h"

#include <algorithm>

#include "cohort/column.h"
#include "crema/version.h"

namespace crema::cohort {

CaseGlance glance_at(const Json& table) {
  CaseGlance glance;
  if (list_in(table).size() < 2) return glance;
  const Json& row = list_in(table)[1];
  glance.components = Column(table, "components").number(row);
  glance.agreement = Column(table, "positive_agreement").number(row);
  glance.warnings = Column(table, "warnings").number(row);
  const Json& farthest = Column(table, "outlier").of(row);
  if (std::holds_alternative<std::string>(farthest.value())) glance.farthest = text_in(farthest);
  return glance;
}

Glancer::Glancer(const ReadyRun& ready) : ready_(ready) {
  overview_.version = version();
  for (const Method* method : ready.request.methods) overview_.methods.emplace_back(method->name);
  for (const std::string& name : ready.cohort.raters) rater(valid_utf8(name));
}

/// A file may hold several raters, whom only the results name.
std::uint32_t Glancer::rater(const std::string& name) {
  const auto [found, added] = places_.emplace(name, static_cast<std::uint32_t>(overview_.raters.size()));
  if (added) overview_.raters.push_back(name);
  return found->second;
}

void Glancer::add_methods(CaseGlance& glance, const Json& methods) {
  glance.methods.resize(overview_.methods.size());
  const Column name(methods, "method"), kept(methods, "kept"), volume(methods, "volume_mm3"),
      distance(methods, "distance"), against(methods, "size_vs_majority_pct");
  for (std::size_t r = 1; r < list_in(methods).size(); ++r) {
    const Json& row = list_in(methods)[r];
    const auto found = std::find(overview_.methods.begin(), overview_.methods.end(), text_in(name.of(row)));
    if (found == overview_.methods.end()) continue;
    const Column lmsd(methods, "lmsd_" + std::string(text_in(distance.of(row))));
    glance.methods[static_cast<std::size_t>(found - overview_.methods.begin())] = {
        kept.number(row), volume.number(row), lmsd.number(row), against.number(row), {}};
  }
}

void Glancer::add_raters(CaseGlance& glance, const Json& raters) {
  const Column name(raters, "rater"), method(raters, "method"), dice(raters, "dice"),
      volume(raters, "volume_mm3"), difference(raters, "volume_difference_mm3");
  std::vector<std::int64_t> counted(overview_.methods.size());
  for (std::size_t r = 1; r < list_in(raters).size(); ++r) {
    const Json& row = list_in(raters)[r];
    const auto found = std::find(overview_.methods.begin(), overview_.methods.end(), text_in(method.of(row)));
    if (found == overview_.methods.end()) continue;
    const auto m = static_cast<std::size_t>(found - overview_.methods.begin());
    const std::optional<double> overlap = dice.number(row);
    if (overlap) {
      glance.methods[m].dice = glance.methods[m].dice.value_or(0) + *overlap;
      ++counted[m];
    }
    if (m != 0) continue;
    RaterGlance beside{rater(std::string(text_in(name.of(row)))), overlap, {}};
    const std::optional<double> size = volume.number(row), more = difference.number(row);
    if (size && more && *size - *more > 0) beside.larger = 100 * *more / (*size - *more);
    glance.beside.push_back(beside);
  }
  for (std::size_t m = 0; m < counted.size(); ++m)
    if (counted[m] > 0) *glance.methods[m].dice /= static_cast<double>(counted[m]);
}

void Glancer::add(const CohortCase& one, CaseGlance known, const Json& methods, const Json& raters) {
  known.name = valid_utf8(one.name);
  for (const std::string& name : missing_raters(ready_.cohort, one))
    known.missing_raters.push_back(valid_utf8(name));
  known.raters = std::ssize(one.raters);
  if (known.status == CaseGlance::Status::done) {
    add_methods(known, methods);
    add_raters(known, raters);
    known.raters = std::max<std::int64_t>(known.raters, std::ssize(known.beside));
    std::error_code ignored;
    const std::filesystem::path page = ready_.folder.report(one.name);
    if (std::filesystem::exists(page, ignored))
      known.report = page.lexically_relative(ready_.folder.path).generic_string();
  }
  overview_.cases.push_back(std::move(known));
}

}  // namespace crema::cohort
