// SPDX-License-Identifier: Apache-2.0
// What to look at first, over all cases, and the bench on which cases are looked at and rated.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/cohort/page.h"
#include "report/cohort/sections.h"
#include "report/compact_json.h"
#include "report/html.h"

namespace crema::report {
namespace {

std::string_view reason_words(ReviewReason reason) {
  if (reason == ReviewReason::flips) return "one rater decides";
  return reason == ReviewReason::left_out ? "left out" : "disputed zone";
}

/// Letters that turn the direction of writing, escaped: a page holds none, whatever cases are called.
std::string without_turns(std::string_view json) {
  std::string text;
  for (std::size_t i = 0; i < json.size();) {
    const std::string_view three = json.substr(i, 3), two = json.substr(i, 2);
    const auto last = static_cast<unsigned char>(three.size() == 3 ? three[2] : '\0');
    if (two == "\xd8\x9c") {
      text += "\\u061c";
      i += 2;
    } else if (two == "\xe2\x80" || two == "\xe2\x81") {
      text += fmt::format("\\u{:04x}", (two[1] == '\x80' ? 0x2000U : 0x2040U) + (last & 0x3fU));
      i += 3;
    } else {
      text += json[i++];
    }
  }
  return text;
}

/// For eyes alone: whoever cannot see it reads the words beside it. It comes from a file of the run, which
/// anybody may have edited: what is not base64 is no picture.
std::string thumbnail_html(const std::string& png) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  if (png.empty() || png.find_first_not_of(kLetters) != std::string::npos) return "";
  return fmt::format("<img class=\"thumbnail\" alt=\"\" src=\"data:image/png;base64,{}\">", png);
}

void add_finding(const CohortMaterial& material, const cohort::FindingGlance& one, std::size_t rank,
                 TableHtml& table) {
  std::vector<std::string> cells{grouped(static_cast<std::int64_t>(rank)), thumbnail_html(one.thumbnail),
                                 case_html(one.name, one.report)};
  if (material.overview.labelled) cells.push_back(name_html(bidi_safe(one.label)));
  for (std::string cell :
       {std::string(reason_words(one.reason)), "<bdi>" + escaped(bidi_safe(one.words)) + "</bdi>",
        grouped(one.component), grouped(one.voxels), fmt::format("{:.3f}", one.fall)})
    cells.push_back(std::move(cell));
  table.add(cells, fmt::format(" data-case=\"{}\" data-label=\"{}\"", one.number + 1,
                               escaped(bidi_safe(one.label))));
}

std::string queue_table(const CohortMaterial& material) {
  std::vector<Column> columns{{"Rank"},
                              {"Most disputed slice", false},
                              {"Case", false},
                              {"Why", false},
                              {"What raters dispute", false},
                              {"Component"},
                              {"Voxels"},
                              {"Fall"}};
  if (material.overview.labelled) columns.insert(columns.begin() + 3, Column{"Label", false});
  TableHtml table("queue", "Findings of all cases, the most important first", columns);
  std::size_t rank = 0;
  for (const cohort::FindingGlance& one : material.overview.findings)
    add_finding(material, one, ++rank, table);
  return table.html();
}

/// What is shown, and where the rest is.
std::string queue_note(const CohortMaterial& material) {
  const Overview& all = material.overview;
  const bool has_table = std::find(all.tables.begin(), all.tables.end(), "review") != all.tables.end();
  std::string text = fmt::format("All {} in {}.", counted(all.counts.findings, "finding", "findings"),
                                 counted(all.counts.cases_with_findings, "case", "cases"));
  if (std::ssize(all.findings) < all.counts.findings)
    text = fmt::format("The first {} of {} in {}; {}.", grouped(std::ssize(all.findings)),
                       counted(all.counts.findings, "finding", "findings"),
                       counted(all.counts.cases_with_findings, "case", "cases"),
                       has_table ? "<code>review.csv</code> has all of them"
                                 : "<code>crema cohort merge --tables full</code> lists all of them");
  std::set<std::string_view> cases;
  std::int64_t pictures = 0;
  for (const cohort::FindingGlance& one : all.findings) {
    cases.insert(one.name);
    pictures += one.thumbnail.empty() ? 0 : 1;
  }
  if (pictures < std::ssize(cases))
    text += fmt::format(" The first {} of these cases have a picture.", grouped(pictures));
  return "<p class=\"note\">" + text +
         " Of each case and label the first 25 are listed; <code>crema agreement --review</code> lists all "
         "of "
         "one case.</p>\n";
}

}  // namespace

std::string queue_section(const CohortMaterial& material) {
  const Overview& all = material.overview;
  if (all.counts.done == 0) return "";
  constexpr std::string_view heading = "What to look at first";
  const std::string method = escaped(all.methods.empty() ? "" : all.methods.front());
  if (!all.reviewed)
    return section("queue-section", heading,
                   fmt::format("{} does not decide component by component, so there is no list of decisions; "
                               "put jaccard or another method with a distance first.",
                               method),
                   "");
  if (all.findings.empty())
    return section("queue-section", heading, "", "<p class=\"fine\">There is nothing to decide.</p>\n");
  return section(
      "queue-section", heading,
      fmt::format(
          "The decisions ({}) of all cases in one list: components that flip without one rater, then "
          "components left out although two or more raters drew them, then disputed zones; each ordered by "
          "how far the criterion would fall in total if the raters agreed. The picture is the most disputed "
          "slice of the case{}: darker for more raters, with the consensus outlined.",
          method, material.overview.labelled ? ", of the label beside it" : ""),
      queue_table(material) + queue_note(material));
}

std::string bench_html() {
  return R"(<dialog id="bench" aria-labelledby="bench-name">
<div class="bench-bar">
<button type="button" id="bench-back">Back</button>
<button type="button" id="bench-previous">Previous</button>
<button type="button" id="bench-next">Next</button>
<output id="bench-at"></output>
<h2 id="bench-name">Case</h2>
<span id="bench-alone"></span>
<div class="bench-rating" role="group" aria-label="Rating">
<button type="button" data-rating="keep" aria-pressed="false">Keep</button>
<button type="button" data-rating="redo" aria-pressed="false">Redo</button>
<button type="button" data-rating="discuss" aria-pressed="false">Discuss</button>
</div>
<label for="bench-note">Note</label>
<input id="bench-note" type="text" maxlength="500" autocomplete="off">
<p class="note keys">With Alt: <kbd>N</kbd> next, <kbd>P</kbd> previous, <kbd>B</kbd> back; <kbd>K</kbd> keep, <kbd>R</kbd> redo, <kbd>D</kbd> discuss. <span id="bench-keys"></span></p>
<p class="note" id="bench-message" role="status"></p>
</div>
<div class="bench-findings" role="group" aria-label="Findings of this case" tabindex="0"><ul id="bench-findings"></ul></div>
<div id="bench-page" class="bench-page"></div>
</dialog>
)";
}

std::string run_data(const CohortMaterial& material) {
  std::map<std::size_t, std::array<std::string, 3>> known;
  for (const cohort::FindingGlance& one : material.overview.findings)
    known[one.number] = {one.name, one.report, ""};
  for (const Listed& one : material.listed)
    known[one.number] = {one.glance->name, one.glance->report, one.glance->result.substr(0, 16)};
  Json cases = Json::array();
  for (const auto& [number, facts] : known)
    cases.push_back(Json(Json::Array{number + 1, facts[0], url_of(facts[1]), facts[2]}));
  return without_turns(compact(Json{{"run", material.overview.run}, {"cases", std::move(cases)}}));
}

}  // namespace crema::report
