// SPDX-License-Identifier: Apache-2.0
#include "report/cohort_sections.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plot/distribution.h"
#include "report/cohort_page.h"
#include "report/html.h"

namespace crema::report {
namespace {

constexpr std::size_t kMostFailures = 2000;

std::string name_of(const std::string& name) { return name_html(tamed(name)); }

/// Its name, which leads to its page where it has one.
std::string case_html(const CaseGlance& glance) {
  std::string name = name_of(glance.name);
  if (glance.report.empty()) return name;
  return fmt::format("<a href=\"{}\">{}</a>", url_of(glance.report), name);
}

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
    names += (names.empty() ? "" : ", ") + escaped(tamed(name));
  return fmt::format("<abbr title=\"without {}\">{}</abbr>", names, glance.raters);
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return plot::quantile(values, 0.5);
}

std::string headline(const CohortMaterial& material) {
  const std::int64_t all = std::ssize(material.overview.cases), done = std::ssize(material.done);
  std::string text = done == all
                         ? fmt::format("All {} are done.", counted(all, "case", "cases"))
                         : fmt::format("{} of {} are done", grouped(done), counted(all, "case", "cases"));
  if (done == 1 && all == 1) text = "The one case is done.";
  if (!material.failed.empty())
    text += fmt::format(", <a href=\"#failed\">{} failed</a>", grouped(std::ssize(material.failed)));
  if (!material.waiting.empty())
    text += fmt::format(", {} still to be done", grouped(std::ssize(material.waiting)));
  return fmt::format("<p class=\"headline\">{}{}</p>\n", text, done == all ? "" : ".");
}

/// What is true of many cases is said once.
std::string remarks(const CohortMaterial& material) {
  std::int64_t lacking = 0, warned = 0;
  std::string items;
  for (const CaseGlance& one : material.overview.cases) {
    lacking += one.missing_raters.empty() ? 0 : 1;
    warned += one.warnings.value_or(0) > 0 ? 1 : 0;
  }
  if (lacking > 0)
    items +=
        fmt::format("<li>{} fewer raters than others.</li>\n", counted(lacking, "case has", "cases have"));
  if (warned > 0)
    items += fmt::format("<li>{}, told in <code>result.json</code> of the case.</li>\n",
                         counted(warned, "case has warnings", "cases have warnings"));
  if (items.empty()) return "";
  return "<div class=\"warnings\"><ul>\n" + items + "</ul></div>\n";
}

std::string status_html(const CohortMaterial& material, const Listed& one) {
  using enum CaseGlance::Status;
  if (one.glance->status == done) return "<span class=\"kept\">done</span>";
  if (one.glance->status == missing) return "<span class=\"waiting\">to do</span>";
  const std::string text = fmt::format("failed ({})", escaped(one.glance->failure));
  const bool told =
      material.failed.size() <= kMostFailures || one.number < material.failed[kMostFailures].number;
  if (!told) return "<span class=\"dropped\">" + text + "</span>";
  return fmt::format("<a class=\"dropped\" href=\"#failure-{}\">{}</a>", one.number + 1, text);
}

void add_case(const CohortMaterial& material, const Listed& one, TableHtml& table) {
  const CaseGlance& glance = *one.glance;
  const cohort::MethodGlance first = glance.methods.empty() ? cohort::MethodGlance{} : glance.methods.front();
  const auto volume = first.volume ? millilitres(*first.volume) : "–";
  table.add(
      {case_html(glance), status_html(material, one), raters_html(glance), number_html(glance.components, 0),
       number_html(first.kept, 0), volume, number_html(glance.agreement, 3), number_html(first.dice, 3),
       number_html(lowest_dice(glance), 3), glance.farthest.empty() ? "–" : name_of(glance.farthest),
       number_html(glance.warnings, 0)},
      fmt::format(" id=\"{}\"", one.id()));
}

/// A rater over all cases.
struct RaterSums {
  std::vector<double> dice, larger;
  std::int64_t cases = 0, farthest = 0;
  Listed lowest = {};
  double lowest_dice = 2;
};

std::vector<RaterSums> sums_of(const CohortMaterial& material) {
  std::vector<RaterSums> sums(material.overview.raters.size());
  for (const Listed& one : material.done)
    for (const cohort::RaterGlance& rater : one.glance->beside) {
      RaterSums& sum = sums[rater.rater];
      ++sum.cases;
      sum.farthest += one.glance->farthest == material.overview.raters[rater.rater] ? 1 : 0;
      if (rater.larger) sum.larger.push_back(*rater.larger);
      if (!rater.dice) continue;
      sum.dice.push_back(*rater.dice);
      if (*rater.dice < sum.lowest_dice) {
        sum.lowest_dice = *rater.dice;
        sum.lowest = one;
      }
    }
  return sums;
}

std::string lowest_html(const CohortMaterial& material, const RaterSums& sum) {
  if (sum.lowest.glance == nullptr) return "–";
  const std::string name = name_of(sum.lowest.glance->name);
  return fmt::format("{:.3f} in {}", sum.lowest_dice,
                     material.lists(sum.lowest.number)
                         ? fmt::format("<a href=\"#{}\">{}</a>", sum.lowest.id(), name)
                         : name);
}

}  // namespace

std::string cohort_verdict(const CohortMaterial& material) {
  std::vector<double> agreement;
  for (const Listed& one : material.done)
    if (one.glance->agreement) agreement.push_back(*one.glance->agreement);
  std::string tiles = tile(grouped(std::ssize(material.done)), "cases done");
  tiles += tile(grouped(std::ssize(material.failed)), "cases failed");
  if (!material.waiting.empty())
    tiles += tile(grouped(std::ssize(material.waiting)), "cases still to be done");
  const std::size_t raters =
      material.raters.empty() ? material.overview.raters.size() : material.raters.size();
  tiles += tile(grouped(static_cast<std::int64_t>(raters)), "raters");
  tiles += tile(grouped(std::ssize(material.overview.methods)),
                material.overview.methods.size() == 1
                    ? "method: " + escaped(material.overview.methods.front())
                    : "methods, of which " + escaped(material.overview.methods.front()) + " is the first");
  if (const auto middle = median(agreement))
    tiles += tile(fmt::format("{:.2f}", *middle),
                  "positive agreement of the raters in the middle case; 1 is "
                  "perfect");
  return fmt::format(
      "<section id=\"verdict\" aria-labelledby=\"verdict-heading\">\n<h2 id=\"verdict-heading\">In "
      "short</h2>\n{}<dl class=\"tiles\">\n{}</dl>\n{}</section>\n",
      headline(material), tiles, remarks(material));
}

std::string failures_section(const CohortMaterial& material) {
  if (material.failed.empty()) return "";
  TableHtml table("failures", "Cases that could not be fused",
                  {{"Case", false}, {"Class", false}, {"May go away by itself", false}, {"Reason", false}});
  for (std::size_t f = 0; f < std::min(kMostFailures, material.failed.size()); ++f) {
    const Listed& one = material.failed[f];
    table.add({name_of(one.glance->name), escaped(one.glance->failure), one.glance->transient ? "yes" : "no",
               "<bdi>" + escaped(tamed(one.glance->reason)) + "</bdi>"},
              fmt::format(" id=\"failure-{}\"", one.number + 1));
  }
  const std::string more =
      material.failed.size() <= kMostFailures
          ? ""
          : fmt::format(
                "<p class=\"note\">These are the first of {}; <code>failures.csv</code> has all.</p>\n",
                grouped(std::ssize(material.failed)));
  return section("failed", "What failed, and why",
                 "Each reason names the file and what to do. Mend the files and run the same command again: "
                 "only these cases are done.",
                 table.html() + more);
}

std::string cohort_raters_section(const CohortMaterial& material) {
  if (material.raters.empty()) return "";
  const std::vector<RaterSums> sums = sums_of(material);
  TableHtml table("raters", "Each rater over all cases",
                  {{"Rater", false},
                   {"Cases"},
                   {"Dice with the consensus, median"},
                   {"Lowest Dice", false},
                   {"Size against the consensus, median"},
                   {"Farthest from the others"}});
  for (const std::size_t r : material.raters)
    table.add({name_of(material.overview.raters[r]), grouped(sums[r].cases),
               number_html(median(sums[r].dice), 3), lowest_html(material, sums[r]),
               percent_html(median(sums[r].larger)),
               fmt::format("{} of {}", grouped(sums[r].farthest), grouped(sums[r].cases))});
  return section("raters-section", "Rater by rater",
                 fmt::format("Dice is the overlap with the consensus ({}), 1 being the same mask. Size says "
                             "who draws larger (+) or smaller (−). The last column counts the cases in which "
                             "a rater lies farthest from the others; in a fair cohort all have their share.",
                             escaped(material.overview.methods.front())),
                 table.html());
}

std::string cases_section(const CohortMaterial& material) {
  const std::string method = escaped(material.overview.methods.empty() ? "" : material.overview.methods[0]);
  TableHtml table("cases", fmt::format("All cases; kept, volume and Dice are those of {}", method),
                  {{"Case", false},
                   {"Status", false},
                   {"Raters"},
                   {"Components"},
                   {"Kept"},
                   {"Volume, ml"},
                   {"Positive agreement"},
                   {"Mean Dice"},
                   {"Lowest Dice"},
                   {"Farthest rater", false},
                   {"Warnings"}});
  for (const Listed& one : material.listed) add_case(material, one, table);
  const bool pages = std::any_of(material.listed.begin(), material.listed.end(),
                                 [](const Listed& one) { return !one.glance->report.empty(); });
  std::string note = pages ? ""
                           : "<p class=\"note\">No case has a page of its own; <code>crema cohort run "
                             "--report</code> makes them.</p>\n";
  if (material.listed.size() < material.overview.cases.size())
    note += fmt::format(
        "<p class=\"note\">Listed are {} of {} cases: what failed, and the lowest overlaps; "
        "<code>cases.csv</code> has all.</p>\n",
        grouped(std::ssize(material.listed)), grouped(std::ssize(material.overview.cases)));
  return section("cases-section", "Case by case",
                 pages ? "A case’s name opens its page. The heads sort, the search takes any words of a row."
                       : "The heads sort, the search takes any words of a row.",
                 "<div id=\"find\" class=\"find\" hidden><label for=\"search\">Search</label>\n<input "
                 "type=\"search\" id=\"search\" autocomplete=\"off\"> <output id=\"found\" "
                 "for=\"search\"></output></div>\n" +
                     table.html() + note);
}

std::string tables_section(const CohortMaterial&) {
  std::string links;
  for (const char* name :
       {"cases", "methods", "raters", "components", "rater_pairs", "method_pairs", "failures", "times"})
    links += fmt::format("<li><a href=\"{0}.csv\">{0}.csv</a></li>\n", name);
  return section("tables", "Where the numbers come from",
                 "These tables lie beside this page and have every number on it, and many more; "
                 "<code>run.json</code> has methods and settings.",
                 "<ul class=\"settings\">\n" + links + "</ul>\n");
}

}  // namespace crema::report
