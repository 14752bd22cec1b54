// SPDX-License-Identifier: Apache-2.0
#include "study/tables/paper_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "study/chapters/section_parts.h"
#include "study/tables/paper_text.h"

namespace crema::study {
namespace {

Row summary_cells(const std::optional<Summary>& found) {
  if (!found) return {std::int64_t{0}, cell({}), cell({}), cell({}), cell({}), cell({}), cell({}), cell({})};
  const auto end = [&](double Interval::*which) {
    return found->interval ? Cell((*found->interval).*which) : cell({});
  };
  return {found->cases,        found->mean,          cell(found->deviation), found->median,
          found->low_quartile, found->high_quartile, end(&Interval::low),    end(&Interval::high)};
}

Row measure_row(const Variant& variant, const std::string& rater, std::string_view measure,
                std::string_view unit, const std::optional<Summary>& found) {
  Row row = variant_cells(variant);
  add(row, {rater, measure, unit});
  add(row, summary_cells(found));
  return row;
}

Row icc_row(const NamedIcc& one) {
  Row row = variant_cells({});
  add(row,
      {"", fmt::format("{} of {}", to_string(one.form, one.unit), to_string(one.scale)), "", one.icc.cases,
       one.icc.value, cell({}), cell({}), cell({}), cell({}), cell(one.icc.low), cell(one.icc.high)});
  return row;
}

}  // namespace

void PaperTable::take(const std::vector<Variant>&, const CaseFacts& facts) {
  std::map<std::size_t, std::array<Mean, kRaterMeasures.size()>> means;
  std::map<std::size_t, std::size_t> raters;
  for (const RaterResult& one : facts.raters) {
    ++raters[one.variant];
    for (std::size_t m = 0; m < one.measures.size(); ++m) {
      means[one.variant][m].add(one.measures[m]);
      if (one.measures[m] && volumes_.identity() == Identity::persists)
        values_[{one.variant, one.rater}][m].add(*one.measures[m]);
    }
  }
  for (const auto& [variant, own] : means)
    for (std::size_t m = 0; m < own.size(); ++m)
      if (own[m].count() > 0) values_[{variant, ""}][m].add(*own[m].value());
  if (facts.agreement) agreement_.add(*facts.agreement);
  if (facts.kappa) kappa_.add(*facts.kappa);
  volumes_.take(facts);
  ++cases_;
  if (raters.empty()) return;
  const std::size_t count = raters.begin()->second;
  fewest_ = fewest_ == 0 ? count : std::min(fewest_, count);
  most_ = std::max(most_, count);
}

PaperTexts PaperTable::finish(const std::vector<Variant>& variants) const {
  PaperTexts result{{variant_columns({"rater", "measure", "unit", "cases", "mean", "sd", "median",
                                      "low_quartile", "high_quartile", "low", "high"}),
                     {}},
                    {},
                    {}};
  PaperText text{.cases = cases_, .fewest = fewest_, .most = most_, .identity = volumes_.identity()};
  for (const auto& [subject, values] : values_) {
    PaperRow row{paper_name(variants, subject.variant), subject.rater, {}};
    for (std::size_t m = 0; m < values.size(); ++m) {
      row.measures[m] = values[m].summary();
      if (row.measures[m])
        result.table.rows.push_back(measure_row(variants[subject.variant], subject.rater,
                                                kRaterMeasures[m].name, kRaterMeasures[m].unit,
                                                row.measures[m]));
    }
    text.rows.push_back(std::move(row));
  }
  for (const auto& [name, values] :
       {std::pair{"positive agreement", &agreement_}, {"Fleiss' kappa", &kappa_}}) {
    const std::optional<Summary> found = values->summary();
    if (!found) continue;
    result.table.rows.push_back(measure_row({}, "", name, "", found));
    text.among.push_back(fmt::format("{} {}", name, shown_summary(*found)));
  }
  for (const NamedIcc& one : volumes_.iccs()) {
    result.table.rows.push_back(icc_row(one));
    text.among.push_back(shown_icc(one));
  }
  result.markdown = markdown_of(text);
  result.latex = latex_of(text);
  return result;
}

}  // namespace crema::study
