// SPDX-License-Identifier: Apache-2.0
// The verdict, the methods side by side, what to write and to cite, and where all of it comes from.
#include <algorithm>

#include <fmt/format.h>

#include "crema/base/text.h"
#include "crema/base/version.h"
#include "crema/records/record_parts.h"
#include "figure/case_figure.h"
#include "report/case/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string size_tile(const Material& material) {
  const raters::Outcome& main = material.main();
  const Solution& solution = main.structures.front();
  const Grid& grid = material.reduction().grid;
  const auto sized = [&](double voxels) {
    return fmt::format("{} {}", size_html(grid, voxels), page_unit(grid).unit);
  };
  const std::string voxels =
      grid.flat() ? counted(solution.voxels, "pixel", "pixels") : counted(solution.voxels, "voxel", "voxels");
  const bool soft = main.method().kind == Kind::soft;
  std::string tiles = tile(sized(static_cast<double>(solution.voxels)),
                           soft            ? fmt::format("size above one half, {}", voxels)
                           : grid.measured ? fmt::format("size of the consensus, {}", voxels)
                                           : "size of the consensus");
  if (soft) tiles += tile(sized(solution.soft_volume), "soft size, the sum of the levels");
  return tiles;
}

/// How far the consensus is from the best one there is, where that was proven.
std::string gap_tile(const Material& material) {
  const Solution& solution = material.main().structures.front();
  if (!solution.lower_bound) return "";
  const std::string gap = gap_html(solution.lmsd, *solution.lower_bound);
  if (gap.back() != '%') return tile(gap, "of all possible masks, proven");
  return tile(gap, solution.unproven == 0 ? "at most above the best consensus, proven"
                                          : "at most above the best consensus");
}

std::string outlier_sentence(const Material& material) {
  const AgreementStudy& study = material.findings.study;
  if (!study.outlier.outlier) return "";
  const auto k = static_cast<std::size_t>(*study.outlier.outlier);
  return fmt::format("<p>{} lies farthest from the others: {} on average (1 − Dice).</p>\n",
                     material.rater_html(k), measure_html(study.outlier.raters[k].dice));
}

/// "+4 %", against the majority vote or the average.
std::string percent(const Measured& measure) {
  if (!measure.defined()) return measure_html(measure);
  return fmt::format("{}{:.1f} %", *measure < 0 ? "−" : "+", *measure < 0 ? -*measure : *measure);
}

std::string bar(double value, double most) {
  return fmt::format("<span class=\"bar\"><i style=\"width:{:.1f}%\"></i></span>",
                     most > 0 ? 100 * value / most : 0);
}

std::string settings_html(const Settings& settings, const raters::Outcome& main) {
  Json record = Json::object();
  add_settings(record, settings, main.options, &main.method());
  std::string items;
  for (const Json::Member& member : std::get<Json::Object>(record.value()))
    items += fmt::format("<li><code>{}</code> {}</li>\n", escaped(member.name),
                         escaped(bidi_safe(member.value.text())));
  return "<ul class=\"settings\">\n" + items + "</ul>\n";
}

std::string inputs_html(const RunFacts& run) {
  if (run.inputs.empty())
    return "<p class=\"note\">Checksums and date were left out (<code>--no-provenance</code>).</p>\n";
  TableHtml table("inputs", "Every file that was read", {{"File", false}, {"SHA-256", false}});
  for (const InputFact& input : run.inputs)
    table.add({name_html(bidi_safe(input.path)), "<code class=\"hash\">" + input.sha256 + "</code>"});
  return table.html();
}

std::string count_warnings(const Warnings& warnings) {
  return warnings.size() == 1 ? "One warning" : fmt::format("{} warnings", warnings.size());
}

/// To the warnings, which are further down.
std::string warnings_link(const Material& material) {
  const Warnings& warnings = material.facts.run.warnings;
  if (warnings.empty()) return "";
  return fmt::format(" <a class=\"warned\" href=\"#{}\">{}</a>",
                     material.counted.labelled() ? "overview" : "verdict", count_warnings(warnings));
}

}  // namespace

std::string warnings_html(const Warnings& warnings) {
  if (warnings.empty()) return "<p class=\"fine\">No warnings.</p>\n";
  std::string items;
  for (const Warning& warning : warnings)
    items += "<li><bdi>" + escaped(bidi_safe(warning.marked())) + "</bdi></li>\n";
  return fmt::format("<div class=\"warnings\"><p><strong>{}:</strong></p>\n<ul>\n{}</ul></div>\n",
                     count_warnings(warnings), items);
}

std::string headline(const Material& material) {
  const std::int64_t components = std::ssize(material.reduction().crowns);
  const std::int64_t kept = material.study().kept();
  const std::string label =
      material.counted.labelled()
          ? name_html(bidi_safe(figure::title_of(material.counted, material.findings.structure))) + ": "
          : "";
  return fmt::format("<p class=\"headline\">{}{} marked {}; the consensus (<b>{}</b>) keeps {}.{}</p>\n",
                     label, counted(material.reduction().raters, "rater", "raters"),
                     counted(components, "region", "regions"), material.main().method().name,
                     kept == components
                         ? components == 1 ? "it" : "all of them"
                         : fmt::format("{} and leaves {} out", grouped(kept), grouped(components - kept)),
                     warnings_link(material));
}

std::string verdict(const Material& material) {
  const AgreementStudy& study = material.findings.study;
  const bool labelled = material.counted.labelled();  // warnings are in the overview then
  const std::int64_t components = std::ssize(material.reduction().crowns);
  std::string tiles = tile(std::to_string(material.reduction().raters), "raters");
  tiles += tile(fmt::format("{} of {}", material.study().kept(), components), "components kept");
  tiles += size_tile(material);
  if (study.positive_agreement.defined())
    tiles +=
        tile(measure_html(study.positive_agreement, 2), "positive agreement of the raters; 1 is perfect");
  tiles += gap_tile(material);
  return fmt::format(
      "<section id=\"verdict\" aria-labelledby=\"verdict-heading\">\n<h2 id=\"verdict-heading\">In "
      "short{}</h2>\n"
      "<dl class=\"tiles\">\n{}</dl>\n{}{}</section>\n",
      labelled ? ": " + name_html(bidi_safe(figure::title_of(material.counted, material.findings.structure)))
               : "",
      tiles, outlier_sentence(material), labelled ? "" : warnings_html(material.facts.run.warnings));
}

std::string methods_section(const Material& material) {
  const std::vector<MethodRow>& rows = material.findings.comparison.rows;
  double most = 0;
  for (const MethodRow& row : rows) most = std::max(most, row.soft_volume);
  const Grid& grid = material.reduction().grid;
  const bool soft = std::any_of(rows.begin(), rows.end(),
                                [](const MethodRow& row) { return row.method->kind == Kind::soft; });
  TableHtml table("sizes", "Size of each method’s consensus",
                  {{"Method", false},
                   {"Size", false},
                   {fmt::format("{}, {}", soft ? "Soft size" : "Size", page_unit(grid).unit)},
                   {grid.flat() ? "Pixels above one half" : "Voxels above one half"},
                   {"Components kept"},
                   {"Against the majority vote"},
                   {"LMSD, jaccard"},
                   {"Entropy, nats"}});
  for (const MethodRow& row : rows)
    table.add({fmt::format("{}<span class=\"paper\">{}</span>", row.method->name, row.method->paper_name),
               bar(row.soft_volume, most), size_html(grid, row.soft_volume), grouped(row.voxels),
               fmt::format("{} of {}", row.kept, row.components), percent(row.size_vs_majority),
               fmt::format("{:.4f}", row.lmsd.front()), fmt::format("{:.0f}", row.entropy)});
  return section("methods", "What other methods give",
                 "The same masks, fused by each method. The soft size is the sum of the levels (for a mask, "
                 "its size). LMSD is the sum over components of the mean squared Jaccard distance to the "
                 "raters: lower is closer to the raters. Entropy measures how undecided a soft result is.",
                 table.html());
}

std::string performance_section(const Material& material) {
  std::string content;
  for (const raters::Outcome& outcome : material.findings.outcomes) {
    const auto& found = outcome.structures.front().performance;
    if (!found || found->sensitivity.empty()) continue;
    const std::string_view name = outcome.method().name;
    TableHtml table(fmt::format("rates-{}", name), fmt::format("As {} estimates the raters", name),
                    {{"Rater", false}, {"Sensitivity"}, {"Specificity"}});
    for (std::size_t k = 0; k < found->sensitivity.size(); ++k)
      table.add({material.rater_html(k), fmt::format("{:.4f}", found->sensitivity[k]),
                 fmt::format("{:.6f}", found->specificity[k])});
    content += table.html();
    content += fmt::format("<p class=\"note\">{} after {}, on the {} image{}.</p>\n",
                           found->converged ? "Converged" : "Not converged",
                           counted(found->iterations, "iteration", "iterations"),
                           to_string(outcome.options.region.kind),
                           found->prior ? fmt::format(", prior {:.3g}", *found->prior) : "");
  }
  if (content.empty()) return "";
  return section(
      "performance", "Performance of the raters, as some methods estimate it",
      "Sensitivity is the share of the estimated truth that a rater marked, specificity the share of the "
      "rest that the rater left out. Specificity includes the whole background and is near 1 for all raters.",
      content);
}

std::string citation_section(const PageFacts& facts) {
  return section("cite", "For a paper",
                 "Ready to paste; also state the settings that differ from the defaults.",
                 fmt::format("<blockquote>{}</blockquote>\n<details><summary>BibTeX</summary>\n"
                             "<pre tabindex=\"0\" role=\"group\" aria-label=\"BibTeX\">{}</pre></details>\n",
                             escaped(facts.methods), [&] {
                               std::string text;
                               for (const std::string& line : split(facts.bibtex, '\n'))
                                 text += escaped(line) + "\n";
                               return text;
                             }()));
}

std::string provenance_section(const Settings& settings, const raters::Outcome& main,
                               const PageFacts& facts) {
  const RunFacts& run = facts.run;
  return section("provenance", "Provenance",
                 "Enough to reproduce this page and to check whether a file is one of the inputs.",
                 fmt::format("<p>crema {}{}. The command:</p>\n<pre tabindex=\"0\" role=\"group\" "
                             "aria-label=\"The command\">{}</pre>\n{}<p>Settings of {}:</p>\n{}",
                             version(), run.date.empty() ? "" : ", " + run.date, escaped(facts.command),
                             inputs_html(run), main.method().name, settings_html(settings, main)));
}

}  // namespace crema::report
