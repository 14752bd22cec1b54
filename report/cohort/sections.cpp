// SPDX-License-Identifier: Apache-2.0
#include "report/cohort/sections.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plot/distribution.h"
#include "report/cohort/page.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string name_of(const std::string& name) { return name_html(bidi_safe(name)); }

std::string number_html(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "–";
}

std::string percent_html(const std::optional<double>& value) {
  if (!value) return "–";
  return fmt::format("{}{:.1f} %", *value < 0 ? "−" : "+", std::abs(*value));
}

/// How many there are, and who is not among them.
std::string raters_html(const CaseGlance& glance) {
  if (glance.missing_raters.empty()) return std::to_string(glance.raters);
  std::string names;
  for (const std::string& name : glance.missing_raters)
    names += (names.empty() ? "" : ", ") + escaped(bidi_safe(name));
  return fmt::format("<abbr title=\"without {}\">{}</abbr>", names, glance.raters);
}

std::string headline(const CohortMaterial& material) {
  const cohort::OverviewCounts& counts = material.overview.counts;
  const std::int64_t all = counts.cases, done = counts.done;
  std::string text = done == all
                         ? fmt::format("All {} are done.", counted(all, "case", "cases"))
                         : fmt::format("{} of {} are done", grouped(done), counted(all, "case", "cases"));
  if (done == 1 && all == 1) text = "The one case is done.";
  if (counts.failed > 0) text += fmt::format(", <a href=\"#failed\">{} failed</a>", grouped(counts.failed));
  if (counts.waiting > 0) text += fmt::format(", {} still to be done", grouped(counts.waiting));
  return fmt::format("<p class=\"headline\">{}{}</p>\n", text, done == all ? "" : ".");
}

/// A label each where they are few, else the lowest and the highest.
std::string agreement_tiles(std::vector<cohort::LabelAgreement> labels) {
  constexpr std::size_t kFew = 3;
  constexpr std::string_view what = "median positive agreement over cases";
  const auto name = [](const cohort::LabelAgreement& one) { return name_of(one.label); };
  if (labels.size() > kFew) {
    const auto [low, high] = std::minmax_element(
        labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.median < b.median; });
    return tile(
        fmt::format("{:.2f} to {:.2f}", low->median, high->median),
        fmt::format("{}, lowest for {}, highest for {} (1 = perfect)", what, name(*low), name(*high)));
  }
  std::string tiles;
  for (const cohort::LabelAgreement& one : labels)
    tiles += tile(fmt::format("{:.2f}", one.median),
                  fmt::format("{}{} (1 = perfect)", what, one.label.empty() ? "" : ": " + name(one)));
  return tiles;
}

/// What is true of many cases is said once.
std::string remarks(const CohortMaterial& material) {
  const std::int64_t lacking = material.overview.counts.lacking, warned = material.overview.counts.warned,
                     faulty = material.overview.counts.faulty;
  std::string items;
  if (lacking > 0)
    items +=
        fmt::format("<li>{} fewer raters than others.</li>\n", counted(lacking, "case has", "cases have"));
  if (faulty > 0)
    items += fmt::format("<li>{} defects in the input: <a href=\"#warnings-section\">list</a>.</li>\n",
                         counted(faulty, "case has", "cases have"));
  else if (warned > 0)
    items += fmt::format(
        "<li>{}, none of them a defect of the input: <a "
        "href=\"#warnings-section\">list of kinds</a>.</li>\n",
        counted(warned, "case has warnings", "cases have warnings"));
  if (items.empty()) return "";
  return "<div class=\"warnings\"><ul>\n" + items + "</ul></div>\n";
}

std::string status_html(const Listed& one) {
  using enum CaseGlance::Status;
  if (one.glance->status == done) return "<span class=\"kept\">done</span>";
  if (one.glance->status == missing) return "<span class=\"waiting\">to do</span>";
  const std::string text = fmt::format("failed ({})", escaped(one.glance->failure));
  return fmt::format("<a class=\"dropped\" href=\"#failure-{}\">{}</a>", one.number + 1, text);
}

void add_case(const CohortMaterial& material, const Listed& one, TableHtml& table) {
  const CaseGlance& glance = *one.glance;
  const cohort::MethodGlance first = glance.methods.empty() ? cohort::MethodGlance{} : glance.methods.front();
  const auto size = cohort::size_in(first, material.overview.unit);
  const std::string shown = size ? size_html(*size * unit_of(material.overview).factor) : "–";
  std::vector<std::string> cells{case_html(glance.name, glance.report)};
  if (material.overview.labelled) cells.push_back(glance.label.empty() ? "–" : name_of(glance.label));
  const std::vector<std::string> rest{status_html(one),
                                      raters_html(glance),
                                      number_html(glance.components, 0),
                                      number_html(first.kept, 0),
                                      shown,
                                      number_html(glance.agreement, 3),
                                      number_html(first.dice, 3),
                                      number_html(lowest_dice(glance), 3),
                                      glance.farthest.empty() ? "–" : name_of(glance.farthest),
                                      glance.defects > 0
                                          ? fmt::format("{} ({})", number_html(glance.warnings, 0),
                                                        counted(glance.defects, "defect", "defects"))
                                          : number_html(glance.warnings, 0)};
  cells.insert(cells.end(), rest.begin(), rest.end());
  table.add(cells, fmt::format(" id=\"{}\" data-case=\"{}\" data-label=\"{}\"", one.id(), one.number + 1,
                               escaped(bidi_safe(glance.label))));
}

std::string lowest_html(const CohortMaterial& material, const cohort::RaterOverview& rater) {
  if (rater.lowest_dice > 1) return "–";
  const std::string name = name_of(rater.lowest);
  return fmt::format(
      "{:.3f} in {}", rater.lowest_dice,
      material.lists(rater.lowest_number)
          ? fmt::format("<a href=\"#{}\">{}</a>", Listed{nullptr, rater.lowest_number}.id(), name)
          : name);
}

/// What a row of cases is.
std::string_view rows_name(const CohortMaterial& material) {
  return material.overview.labelled ? "rows, one for each label of a case" : "cases";
}

/// Where all cases are listed.
std::string_view where_all(const CohortMaterial& material) {
  return material.overview.tables.empty() ? "<code>crema cohort merge --tables full</code> lists all"
                                          : "<code>cases.csv</code> has all";
}

/// What works on the table of cases; shown by the script.
constexpr std::string_view kTools = R"(<div id="find" class="find" hidden>
<label for="search">Search</label>
<input type="search" id="search" autocomplete="off">
<label for="rated">Rated</label>
<select id="rated"><option value="">all</option><option value="none">not yet</option><option>keep</option><option>redo</option><option>discuss</option></select>
<output id="found" for="search rated"></output>
</div>
<div id="ratings" class="find" hidden>
<output id="rated-count"></output>
<button type="button" id="ratings-save">Save ratings</button>
<label for="ratings-load">Load ratings</label>
<input type="file" id="ratings-load" accept=".csv,text/csv">
<p class="note" id="ratings-message" role="status"></p>
</div>
)";

}  // namespace

std::string case_html(const std::string& name, const std::string& report) {
  std::string shown = name_of(name);
  if (report.empty()) return shown;
  return fmt::format("<a href=\"{}\">{}</a>", url_of(report), shown);
}

CohortUnit unit_of(const Overview& overview) {
  if (overview.unit == cohort::SizeUnit::cubic_mm) return {"Volume", "ml", 1e-3};
  if (overview.unit == cohort::SizeUnit::square_mm) return {"Area", "mm²"};
  return {"Size", "voxels"};
}

std::string cohort_verdict(const CohortMaterial& material) {
  const cohort::OverviewCounts& counts = material.overview.counts;
  std::string tiles = tile(grouped(counts.done), "cases done");
  tiles += tile(grouped(counts.failed), "cases failed");
  if (counts.waiting > 0) tiles += tile(grouped(counts.waiting), "cases still to be done");
  const std::size_t raters =
      material.raters.empty() ? material.overview.raters.size() : material.raters.size();
  tiles += tile(grouped(static_cast<std::int64_t>(raters)), "raters");
  tiles += tile(grouped(std::ssize(material.overview.methods)),
                material.overview.methods.size() == 1
                    ? "method: " + escaped(material.overview.methods.front())
                    : "methods, of which " + escaped(material.overview.methods.front()) + " is the first");
  tiles += agreement_tiles(material.overview.agreement);
  return fmt::format(
      "<section id=\"verdict\" aria-labelledby=\"verdict-heading\">\n<h2 id=\"verdict-heading\">In "
      "short</h2>\n{}<dl class=\"tiles\">\n{}</dl>\n{}</section>\n",
      headline(material), tiles, remarks(material));
}

std::string failures_section(const CohortMaterial& material) {
  if (material.failed.empty()) return "";
  TableHtml table("failures", "Cases that could not be fused",
                  {{"Case", false}, {"Class", false}, {"Temporary", false}, {"Reason", false}});
  for (const Listed& one : material.failed)
    table.add({name_of(one.glance->name), escaped(one.glance->failure), one.glance->transient ? "yes" : "no",
               "<bdi>" + escaped(bidi_safe(one.glance->reason)) + "</bdi>"},
              fmt::format(" id=\"failure-{}\"", one.number + 1));
  const std::int64_t all = material.overview.counts.failed;
  const std::string more =
      std::ssize(material.failed) == all
          ? ""
          : fmt::format(
                "<p class=\"note\">These are the first of {}; {}.</p>\n", grouped(all),
                material.overview.tables.empty() ? where_all(material) : "<code>failures.csv</code> has all");
  return section("failed", "What failed, and why",
                 "Each reason names the file and the fix. Fix the files and run the same command again: it "
                 "runs only these cases.",
                 table.html() + more);
}

std::string cohort_raters_section(const CohortMaterial& material) {
  if (material.raters.empty()) return "";
  TableHtml table("raters", "Each rater over all cases",
                  {{"Rater", false},
                   {"Cases"},
                   {"Dice with the consensus, median"},
                   {"Lowest Dice", false},
                   {"Size against the consensus, median"},
                   {"Farthest from the others"}});
  for (const std::size_t r : material.raters) {
    const cohort::RaterOverview& one = material.overview.rater_overview[r];
    table.add({name_of(material.overview.raters[r]), grouped(one.cases), number_html(one.dice, 3),
               lowest_html(material, one), percent_html(one.larger),
               fmt::format("{} of {}", grouped(one.farthest), grouped(one.rows))});
  }
  return section(
      "raters-section", "Rater by rater",
      fmt::format(
          "Dice is the overlap with the consensus ({}); 1 means identical masks. Size shows who draws larger "
          "(+) or smaller (−). The last column counts the {} in which a rater lies farthest from the others. "
          "A row is a name; it is one person only if the name means the same person in every case.",
          escaped(material.overview.methods.front()),
          material.overview.labelled ? "labels of cases" : "cases"),
      table.html());
}

std::string cases_section(const CohortMaterial& material) {
  const std::string method = escaped(material.overview.methods.empty() ? "" : material.overview.methods[0]);
  const CohortUnit unit = unit_of(material.overview);
  std::vector<Column> columns{{"Case", false},
                              {"Status", false},
                              {"Raters"},
                              {"Components"},
                              {"Kept"},
                              {fmt::format("{}, {}", unit.what, unit.unit)},
                              {"Positive agreement"},
                              {"Mean Dice"},
                              {"Lowest Dice"},
                              {"Farthest rater", false},
                              {"Warnings"}};
  if (material.overview.labelled) columns.insert(columns.begin() + 1, Column{"Label", false});
  TableHtml table("cases", fmt::format("All cases; kept, size and Dice are those of {}", method), columns);
  for (const Listed& one : material.listed) add_case(material, one, table);
  const bool pages = std::any_of(material.listed.begin(), material.listed.end(),
                                 [](const Listed& one) { return !one.glance->report.empty(); });
  std::string note = pages ? ""
                           : "<p class=\"note\">The cases have no pages; <code>crema cohort run "
                             "--report</code> makes them.</p>\n";
  if (std::ssize(material.listed) < material.overview.counts.rows)
    note +=
        fmt::format("<p class=\"note\">{} of {} {} are listed: failures and the lowest overlaps; {}.</p>\n",
                    grouped(std::ssize(material.listed)), grouped(material.overview.counts.rows),
                    rows_name(material), where_all(material));
  return section("cases-section", "Case by case",
                 pages ? "Click a case’s name to open and rate it, a heading to sort; search any column."
                       : "Click a heading to sort; search any column.",
                 std::string(kTools) + table.html() + note);
}

std::string tables_section(const CohortMaterial& material) {
  if (material.overview.tables.empty()) return "";
  std::string links;
  for (const std::string& name : material.overview.tables)
    links += fmt::format("<li><a href=\"{0}.csv\">{0}.csv</a></li>\n", name);
  return section("tables", "Provenance",
                 "These tables beside this page hold all its numbers and many more; <code>run.json</code> "
                 "has methods and settings.",
                 "<ul class=\"settings\">\n" + links + "</ul>\n");
}

}  // namespace crema::report
