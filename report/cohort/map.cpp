// SPDX-License-Identifier: Apache-2.0
// Raters beside cases, as colours.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "plot/heat_map.h"
#include "report/cohort/page.h"
#include "report/cohort/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

/// "case07: ben 0.412, anna 0.807", the lowest first and not too many.
std::string reported_of(const CohortMaterial& material, const CaseGlance& glance) {
  constexpr std::size_t most = 8;
  std::vector<cohort::RaterGlance> raters = glance.beside;
  std::stable_sort(raters.begin(), raters.end(),
                   [](const auto& a, const auto& b) { return a.dice.value_or(2) < b.dice.value_or(2); });
  std::string text = bidi_safe(name_in(glance)) + ":";
  for (std::size_t r = 0; r < std::min(most, raters.size()); ++r)
    text += fmt::format("{} {} {}", r == 0 ? "" : ",", bidi_safe(material.overview.raters[raters[r].rater]),
                        raters[r].dice ? fmt::format("{:.3f}", *raters[r].dice) : "–");
  return raters.size() > most ? text + " …" : text;
}

/// Those whose overlap is lowest on average, where there are more than can be shown.
std::vector<std::size_t> rows_of(const CohortMaterial& material) {
  if (material.raters.size() <= kMaxRatersShown) return material.raters;
  const auto mean = [&](std::size_t r) { return material.overview.rater_overview[r].mean_dice.value_or(2); };
  std::vector<std::size_t> rows = material.raters;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return mean(a) < mean(b); });
  rows.resize(kMaxRatersShown);
  return rows;
}

plot::HeatMap map_of(const CohortMaterial& material, const std::vector<std::size_t>& rows) {
  plot::HeatMap map{"Raters by case", "Dice with the consensus:", 0, 1, {}, {}};
  std::vector<std::size_t> row_of(material.overview.raters.size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    row_of[rows[r]] = r;
    map.rows.push_back(bidi_safe(material.overview.raters[rows[r]]));
  }
  for (const Listed& one : material.done) {
    if (map.columns.size() == kMaxListedCases || !lowest_dice(*one.glance)) break;
    std::vector<double> cells(rows.size(), std::numeric_limits<double>::quiet_NaN());
    for (const cohort::RaterGlance& rater : one.glance->beside) {
      if (!rater.dice || row_of[rater.rater] == rows.size()) continue;
      cells[row_of[rater.rater]] = *rater.dice;
      map.palest = std::max(map.palest, *rater.dice);
      map.darkest = std::min(map.darkest, *rater.dice);
    }
    map.columns.push_back({reported_of(material, *one.glance), one.id(), std::move(cells)});
  }
  return map;
}

}  // namespace

std::string map_section(const CohortMaterial& material) {
  const std::vector<std::size_t> rows = rows_of(material);
  const plot::HeatMap map = map_of(material, rows);
  if (map.columns.empty()) return "";
  std::string note;
  if (std::ssize(map.columns) < material.overview.counts.done_rows)
    note += fmt::format("<p class=\"note\">Shown are {} of {} {}, those with the lowest overlaps.</p>\n",
                        grouped(std::ssize(map.columns)), grouped(material.overview.counts.done_rows),
                        material.overview.labelled ? "labels of cases" : "cases");
  if (rows.size() < material.raters.size())
    note += fmt::format("<p class=\"note\">Shown are the {} of {} raters whose overlap is lowest.</p>\n",
                        rows.size(), material.raters.size());
  return section(
      "map", "Who differs where",
      fmt::format("Each column is {}, each row a rater; a stronger colour means less overlap with the "
                  "consensus ({}). The lowest overlaps come first, at the upper left; a strong row is a "
                  "rater who differs everywhere. Point at a column or use the arrow keys to see its case; "
                  "click or press Enter to open it.",
                  material.overview.labelled ? "a label of a case" : "a case",
                  escaped(material.overview.methods.front())),
      "<figure class=\"map\" tabindex=\"0\" role=\"group\" aria-label=\"Map of raters and cases\">\n" +
          plot::draw_heat_map(map) +
          "</figure>\n<p id=\"pointed-at\" class=\"pointed-at\" role=\"status\"></p>\n" + note);
}

}  // namespace crema::report
