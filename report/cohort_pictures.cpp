// SPDX-License-Identifier: Apache-2.0
// What is drawn of a cohort: how the measures of each method lie over the cases, and raters beside cases.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "plot/distribution.h"
#include "plot/heat_map.h"
#include "report/cohort_page.h"
#include "report/cohort_sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

using Measure = std::optional<double> cohort::MethodGlance::*;

struct Asked {
  Measure measure;
  std::string title, x_name;
  double factor = 1;
  std::optional<double> reference = {};
};

std::vector<plot::Sample> samples_of(const CohortMaterial& material, const Asked& asked) {
  std::vector<plot::Sample> samples;
  for (std::size_t m = 0; m < material.overview.methods.size(); ++m) {
    plot::Sample sample{material.overview.methods[m], {}};
    for (const Listed& one : material.done)
      if (const auto& value = one.glance->methods[m].*asked.measure)
        sample.values.push_back(*value * asked.factor);
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Beyond a factor of 20 logarithms are shown, and what is 0 is counted.
void spread_out(plot::Distribution& panel) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const plot::Sample& sample : panel.samples)
    for (const double value : sample.values) {
      if (value > 0) low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(high > 20 * low)) return;
  panel.logarithmic = true;
  for (plot::Sample& sample : panel.samples) {
    const auto zeros = std::erase_if(sample.values, [](double value) { return value <= 0; });
    if (zeros > 0) sample.note = fmt::format("and {} at 0", zeros);
  }
}

std::string panel_html(const CohortMaterial& material, const Asked& asked, bool sizes) {
  plot::Distribution panel{asked.title, asked.x_name, samples_of(material, asked)};
  panel.reference = asked.reference;
  if (std::all_of(panel.samples.begin(), panel.samples.end(),
                  [](const plot::Sample& sample) { return sample.values.empty(); }))
    return "";
  if (sizes) spread_out(panel);
  return "<figure>\n" + plot::draw_distribution(panel) + "</figure>\n";
}

struct Mean {
  double sum = 0;
  std::int64_t count = 0;
};

std::string mean_of(const CohortMaterial& material, std::size_t m, Measure measure, std::string_view format,
                    double factor = 1) {
  Mean mean;
  for (const Listed& one : material.done)
    if (const auto& value = one.glance->methods[m].*measure) {
      mean.sum += *value * factor;
      ++mean.count;
    }
  if (mean.count == 0) return "–";
  const double value = mean.sum / static_cast<double>(mean.count);
  const std::string text = fmt::format(fmt::runtime(format), std::abs(value));
  return (value < 0 ? "−" : format.ends_with('%') ? "+" : "") + text;
}

std::string means_table(const CohortMaterial& material) {
  using cohort::MethodGlance;
  TableHtml table("means", "Means over the cases that are done",
                  {{"Method", false},
                   {"Components kept"},
                   {"Volume, ml"},
                   {"Dice with the raters"},
                   {"LMSD"},
                   {"Size against the majority vote"}});
  for (std::size_t m = 0; m < material.overview.methods.size(); ++m)
    table.add({escaped(material.overview.methods[m]), mean_of(material, m, &MethodGlance::kept, "{:.1f}"),
               mean_of(material, m, &MethodGlance::volume, "{:.3f}", 1e-3),
               mean_of(material, m, &MethodGlance::dice, "{:.3f}"),
               mean_of(material, m, &MethodGlance::lmsd, "{:.4f}"),
               mean_of(material, m, &MethodGlance::against_majority, "{:.1f} %")});
  return table.html();
}

/// "case07: ben 0.412, anna 0.807", the lowest first and not too many.
std::string told_of(const CohortMaterial& material, const CaseGlance& glance) {
  constexpr std::size_t most = 8;
  std::vector<cohort::RaterGlance> raters = glance.beside;
  std::stable_sort(raters.begin(), raters.end(),
                   [](const auto& a, const auto& b) { return a.dice.value_or(2) < b.dice.value_or(2); });
  std::string text = tamed(glance.name) + ":";
  for (std::size_t r = 0; r < std::min(most, raters.size()); ++r)
    text += fmt::format("{} {} {}", r == 0 ? "" : ",", tamed(material.overview.raters[raters[r].rater]),
                        raters[r].dice ? fmt::format("{:.3f}", *raters[r].dice) : "–");
  return raters.size() > most ? text + " …" : text;
}

/// Those whose overlap is lowest on average, where there are more than can be shown.
std::vector<std::size_t> rows_of(const CohortMaterial& material) {
  if (material.raters.size() <= kMostRaters) return material.raters;
  std::vector<Mean> means(material.overview.raters.size());
  for (const Listed& one : material.done)
    for (const cohort::RaterGlance& rater : one.glance->beside)
      if (rater.dice) {
        means[rater.rater].sum += *rater.dice;
        ++means[rater.rater].count;
      }
  const auto mean = [&](std::size_t r) {
    return means[r].count > 0 ? means[r].sum / static_cast<double>(means[r].count) : 2;
  };
  std::vector<std::size_t> rows = material.raters;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return mean(a) < mean(b); });
  rows.resize(kMostRaters);
  return rows;
}

plot::HeatMap map_of(const CohortMaterial& material, const std::vector<std::size_t>& rows) {
  plot::HeatMap map{"Raters beside cases", "Dice with the consensus:", 0, 1, {}, {}};
  std::vector<std::size_t> row_of(material.overview.raters.size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    row_of[rows[r]] = r;
    map.rows.push_back(tamed(material.overview.raters[rows[r]]));
  }
  for (const Listed& one : material.done) {
    if (map.columns.size() == kMostCases || !lowest_dice(*one.glance)) break;
    std::vector<double> cells(rows.size(), std::numeric_limits<double>::quiet_NaN());
    for (const cohort::RaterGlance& rater : one.glance->beside) {
      if (!rater.dice || row_of[rater.rater] == rows.size()) continue;
      cells[row_of[rater.rater]] = *rater.dice;
      map.palest = std::max(map.palest, *rater.dice);
      map.darkest = std::min(map.darkest, *rater.dice);
    }
    map.columns.push_back({told_of(material, *one.glance), one.id(), std::move(cells)});
  }
  return map;
}

}  // namespace

std::string distributions_section(const CohortMaterial& material) {
  if (material.done.empty()) return "";
  using cohort::MethodGlance;
  std::string panels =
      panel_html(material, {&MethodGlance::volume, "Size of the consensus", "millilitres", 1e-3}, true);
  panels += panel_html(
      material, {&MethodGlance::dice, "Overlap with the raters", "Dice, mean over a case’s raters"}, false);
  panels += panel_html(material, {&MethodGlance::lmsd, "Distance to the raters", "LMSD"}, true);
  panels += panel_html(
      material, {&MethodGlance::against_majority, "Size against the majority vote", "percent", 1, 0}, false);
  return section(
      "methods", "Method by method",
      "Each hill shows how often a value occurs over the cases (few cases are dots), the bar below it holds "
      "the middle half, and the mark is the median. LMSD, the local mean squared distance, is the smaller "
      "the nearer to all raters, and each method’s is in its own distance.",
      "<div class=\"panels\">\n" + panels + "</div>\n" + means_table(material));
}

std::string map_section(const CohortMaterial& material) {
  const std::vector<std::size_t> rows = rows_of(material);
  const plot::HeatMap map = map_of(material, rows);
  if (map.columns.empty()) return "";
  std::string note;
  if (map.columns.size() < material.done.size())
    note += fmt::format("<p class=\"note\">Shown are {} of {} cases, those with the lowest overlaps.</p>\n",
                        grouped(std::ssize(map.columns)), grouped(std::ssize(material.done)));
  if (rows.size() < material.raters.size())
    note += fmt::format("<p class=\"note\">Shown are the {} of {} raters whose overlap is lowest.</p>\n",
                        rows.size(), material.raters.size());
  return section(
      "map", "Who differs where",
      fmt::format("Each column is a case, each row a rater; the darker, the less the rater’s mask overlaps "
                  "the consensus ({}). The cases with the lowest overlap come first, so look at the upper "
                  "left; a dark row is a rater who differs everywhere. Pointing at a column, or moving "
                  "with the arrow keys, tells its case; a click, or Enter, leads to it.",
                  escaped(material.overview.methods.front())),
      "<figure class=\"map\" tabindex=\"0\" role=\"group\" aria-label=\"Map of raters and cases\">\n" +
          plot::draw_heat_map(map) + "</figure>\n<p id=\"told\" class=\"told\" role=\"status\"></p>\n" +
          note);
}

}  // namespace crema::report
