// SPDX-License-Identifier: Apache-2.0
// How the measures of each method lie over the cases.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "plot/distribution.h"
#include "report/cohort/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

using Measure = cohort::DrawnValues cohort::MethodSpread::*;

struct Requested {
  Measure measure;
  std::optional<double> cohort::MethodGlance::*of_case;  ///< the same of one case; none: the size
  std::string title, x_name;
  double factor = 1;
  std::optional<double> reference = {};
  bool sizes = false;         ///< shown by logarithms where they differ much
  std::string distance = {};  ///< of the methods that are shown; empty: all
};

/// So many cases at both ends of a distribution lead to their rows; of a few cases all do.
constexpr std::size_t kFewCases = 25, kEnds = 3;

std::optional<double> value_of(const CohortMaterial& material, const Requested& requested,
                               const CaseGlance& glance, std::size_t method) {
  if (glance.methods.size() <= method) return {};
  const cohort::MethodGlance& one = glance.methods[method];
  return requested.of_case == nullptr ? cohort::size_in(one, material.overview.unit) : one.*requested.of_case;
}

/// The cases that a sample's dots lead to, where the page has all cases.
std::vector<plot::LinkedValue> linked_values(const CohortMaterial& material, const Requested& requested,
                                             const std::string& label, std::size_t method) {
  if (std::ssize(material.done) < material.overview.counts.done_rows) return {};
  std::vector<plot::LinkedValue> all;
  for (const Listed& one : material.done) {
    const std::optional<double> value = value_of(material, requested, *one.glance, method);
    if (value && one.glance->label == label && material.lists(one.number))
      all.push_back({*value * requested.factor,
                     bidi_safe(name_in(*one.glance)) + ": " + size_html(*value * requested.factor),
                     "#" + one.id()});
  }
  if (all.size() <= kFewCases) return all;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  all.erase(all.begin() + kEnds, all.end() - kEnds);
  return all;
}

std::vector<plot::Sample> samples_of(const CohortMaterial& material, const Requested& requested,
                                     const cohort::LabelSpreads& spreads) {
  std::vector<plot::Sample> samples;
  for (std::size_t m = 0; m < spreads.methods.size(); ++m) {
    if (!requested.distance.empty() && material.overview.distances[m] != requested.distance) continue;
    const cohort::DrawnValues& drawn = spreads.methods[m].*requested.measure;
    plot::Sample sample{material.overview.methods[m], drawn.values};
    for (double& value : sample.values) value *= requested.factor;
    if (drawn.not_positive > 0) sample.note = fmt::format("and {} at 0", drawn.not_positive);
    sample.linked = linked_values(material, requested, spreads.label, m);
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Beyond a factor of 20 logarithms are shown, and what is 0 is counted.
void spread_out(const Requested& requested, plot::Distribution& panel) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const plot::Sample& sample : panel.samples)
    for (const double value : sample.values) {
      if (value > 0) low = std::min(low, value);
      high = std::max(high, value);
    }
  panel.logarithmic = requested.sizes && high > 20 * low;
  for (plot::Sample& sample : panel.samples) {
    if (!panel.logarithmic) {
      sample.note.clear();
      continue;
    }
    std::erase_if(sample.values, [](double value) { return value <= 0; });
    std::erase_if(sample.linked, [](const plot::LinkedValue& one) { return one.value <= 0; });
  }
}

std::string panel_html(const CohortMaterial& material, const Requested& requested,
                       const cohort::LabelSpreads& spreads) {
  plot::Distribution panel{requested.title, requested.x_name, samples_of(material, requested, spreads)};
  panel.reference = requested.reference;
  if (std::all_of(panel.samples.begin(), panel.samples.end(),
                  [](const plot::Sample& sample) { return sample.values.empty(); }))
    return "";
  spread_out(requested, panel);
  return "<figure>\n" + linked_picture(plot::draw_distribution(panel)) + "</figure>\n";
}

/// LMSD of different distances do not share an axis.
std::string distance_panels(const CohortMaterial& material, const cohort::LabelSpreads& spreads) {
  using cohort::MethodSpread;
  std::vector<std::string> distances;
  for (const std::string& distance : material.overview.distances)
    if (std::find(distances.begin(), distances.end(), distance) == distances.end())
      distances.push_back(distance);
  std::string panels;
  for (const std::string& distance : distances)
    panels += panel_html(material,
                         {.measure = &MethodSpread::lmsd,
                          .of_case = &cohort::MethodGlance::lmsd,
                          .title = fmt::format("Distance to the raters: {}", distance),
                          .x_name = fmt::format("LMSD in the distance {}", distance),
                          .sizes = true,
                          .distance = distance},
                         spreads);
  return panels;
}

std::string panels_of(const CohortMaterial& material, const cohort::LabelSpreads& spreads) {
  using cohort::MethodSpread;
  const CohortUnit unit = unit_of(material.overview);
  std::string panels = panel_html(material,
                                  {.measure = &MethodSpread::size,
                                   .of_case = nullptr,
                                   .title = "Size of the consensus",
                                   .x_name = fmt::format("{}, {}", unit.what, unit.unit),
                                   .factor = unit.factor,
                                   .sizes = true},
                                  spreads);
  panels += panel_html(material,
                       {.measure = &MethodSpread::dice,
                        .of_case = &cohort::MethodGlance::dice,
                        .title = "Overlap with the raters",
                        .x_name = "Dice, mean over a case’s raters"},
                       spreads);
  panels += distance_panels(material, spreads);
  panels += panel_html(material,
                       {.measure = &MethodSpread::against_majority,
                        .of_case = &cohort::MethodGlance::against_majority,
                        .title = "Size against the majority vote",
                        .x_name = "percent",
                        .reference = 0},
                       spreads);
  return "<div class=\"panels\">\n" + panels + "</div>\n";
}

/// One block of panels for each label; the first is open.
std::string all_panels(const CohortMaterial& material) {
  const Overview& all = material.overview;
  std::string html;
  for (const cohort::LabelSpreads& spreads : all.spreads) {
    const std::string panels = panels_of(material, spreads);
    html += spreads.label.empty()
                ? panels
                : fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", html.empty() ? " open" : "",
                              name_html(bidi_safe(spreads.label)), panels);
  }
  if (std::ssize(all.spreads) < all.labels)
    html += fmt::format("<p class=\"note\">The first {} of {} labels are drawn; the table has all.</p>\n",
                        std::ssize(all.spreads), grouped(all.labels));
  return html;
}

std::string signed_text(double value, std::string_view format) {
  const std::string text = fmt::format(fmt::runtime(format), std::abs(value));
  return (value < 0 ? "−" : format.ends_with('%') ? "+" : "") + text;
}

std::string mean_of(const cohort::OverCases& over, std::string_view format, double factor = 1) {
  return over.cases == 0 ? "–" : signed_text(over.mean * factor, format);
}

/// A mean of ratios says little where one of them is huge: the middle and the middle half do.
std::string middle_of(const cohort::OverCases& over, std::string_view format) {
  if (over.cases == 0) return "–";
  return fmt::format("{} ({} to {})", signed_text(over.median, format), signed_text(over.low, format),
                     signed_text(over.high, format));
}

/// With the distance that it is in: numbers of two distances cannot be compared.
std::string lmsd_html(const CohortMaterial& material, const cohort::MethodSummary& one) {
  const std::vector<std::string>& methods = material.overview.methods;
  const auto place =
      static_cast<std::size_t>(std::find(methods.begin(), methods.end(), one.method) - methods.begin());
  const std::string value = mean_of(one.lmsd, "{:.4f}");
  return one.lmsd.cases == 0 || place >= material.overview.distances.size()
             ? value
             : fmt::format("{} ({})", value, escaped(material.overview.distances[place]));
}

std::string means_table(const CohortMaterial& material) {
  const CohortUnit unit = unit_of(material.overview);
  TableHtml table("means", "Means over the cases in which any rater drew something",
                  {{"Method", false},
                   {"Cases"},
                   {"Components kept"},
                   {fmt::format("{}, {}", unit.what, unit.unit)},
                   {"Dice with the raters"},
                   {"LMSD, in the method’s distance"},
                   {"Size against the majority vote"},
                   {"the same, median (quartiles)"}});
  for (const cohort::MethodSummary& one : material.overview.summaries)
    table.add({escaped(one.method) + (one.label.empty() ? "" : ", " + name_html(bidi_safe(one.label))),
               grouped(one.cases), mean_of(one.kept, "{:.1f}"), mean_of(one.size, "{:.3f}", unit.factor),
               mean_of(one.dice, "{:.3f}"), lmsd_html(material, one),
               mean_of(one.against_majority, "{:.1f} %"), middle_of(one.against_majority, "{:.1f} %")});
  return table.html();
}

}  // namespace

std::string linked_picture(std::string svg) {
  constexpr std::string_view image = "role=\"img\"";
  if (const std::size_t at = svg.find(image);
      at != std::string::npos && svg.find("<a href") != std::string::npos)
    svg.replace(at, image.size(), "role=\"group\"");
  return svg;
}

std::string distributions_section(const CohortMaterial& material) {
  if (material.done.empty()) return "";
  return section(
      "methods", "Method by method",
      "Each curve shows the distribution over cases; small cohorts are shown as dots. The bar below it holds "
      "the middle half, and the mark is the median. Each dot is a case and links to its row; for large "
      "cohorts only cases at both ends are dots. LMSD is the local mean squared distance: lower is closer to "
      "the raters. Each distance has its own axis.",
      all_panels(material) + means_table(material));
}

}  // namespace crema::report
