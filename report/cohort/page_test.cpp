// SPDX-License-Identifier: Apache-2.0
#include "report/cohort/page.h"

#include <gtest/gtest.h>

#include "report/cohort/sections.h"

namespace crema::report {
namespace {

using cohort::CaseGlance;
using cohort::Overview;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

CaseGlance done(const std::string& name, double first, double second) {
  CaseGlance glance{.name = name, .status = CaseGlance::Status::done, .raters = 2};
  glance.methods = {{3, 1500, {}, 1500, 0.25, 4, (first + second) / 2}};
  glance.beside = {{0, first, 10}, {1, second, -10}};
  glance.agreement = 0.75;
  glance.farthest = "ben";
  return glance;
}

/// The sums that whoever gathers cases would have made.
void add_up(Overview& overview) {
  overview.counts = {};
  overview.rater_overview.assign(overview.raters.size(), {});
  overview.spreads = {{.label = "", .methods = std::vector<cohort::MethodSpread>(overview.methods.size())}};
  overview.distances.resize(overview.methods.size(), "jaccard");
  for (CaseGlance& one : overview.cases) {
    one.number = static_cast<std::size_t>(overview.counts.rows++);
    ++overview.counts.cases;
    overview.counts.done += one.status == CaseGlance::Status::done ? 1 : 0;
    overview.counts.failed += one.status == CaseGlance::Status::failed ? 1 : 0;
    overview.counts.waiting += one.status == CaseGlance::Status::missing ? 1 : 0;
    for (const cohort::RaterGlance& rater : one.beside) ++overview.rater_overview[rater.rater].cases;
  }
  overview.counts.done_rows = overview.counts.done;
  overview.tables = {"cases", "failures"};
}

Overview small() {
  Overview overview{"1.0", {"jaccard"}, {"anna", "ben"}, {}};
  overview.cases = {done("a<b", 0.9, 0.8), done("c", 0.7, 0.4)};
  CaseGlance failed{.name = "d", .status = CaseGlance::Status::failed, .raters = 2};
  failed.failure = "input";
  failed.reason = "d/<x>: is cut short.";
  overview.cases.push_back(failed);
  overview.cases.push_back({.name = "e", .raters = 2});
  add_up(overview);
  return overview;
}

TEST(CohortPage, CountsWhatIsDoneFailedAndWaiting) {
  const std::string page = make_cohort_page(small());
  EXPECT_TRUE(has(page, "2 of 4 cases are done, <a href=\"#failed\">1 failed</a>, 1 still to be done."));
  EXPECT_TRUE(has(page, "d/&lt;x&gt;: is cut short."));
  EXPECT_TRUE(has(page, "<bdi>a&lt;b</bdi>"));
  EXPECT_FALSE(has(page, "a<b"));
  EXPECT_FALSE(has(page, "{{"));
}

TEST(CohortPage, HasNoPartWithoutAnythingToTell) {
  Overview overview{"1.0", {"jaccard"}, {}, {}};
  const std::string page = make_cohort_page(overview);
  for (const char* id : {"failed", "methods", "map", "raters-section"})
    EXPECT_FALSE(has(page, std::string("id=\"") + id + "\"")) << id;
  EXPECT_TRUE(has(page, "id=\"cases\""));
}

TEST(CohortPage, ARowOfRatersIsANameAndAPersonOnlyWhereItMeansOne) {
  EXPECT_TRUE(has(make_cohort_page(small()), "one person only if the name means the same person"));
}

TEST(CohortPage, TheMapBeginsWithTheLowestOverlap) {
  const std::string page = make_cohort_page(small());
  EXPECT_LT(page.find("<title>c: ben 0.400, anna 0.700</title>"),
            page.find("<title>a&lt;b: ben 0.800, anna 0.900</title>"));
}

cohort::FindingGlance finding(const std::string& name, std::size_t number) {
  cohort::FindingGlance one{.name = name, .label = "", .report = ""};
  one.number = number;
  one.reason = ReviewReason::left_out;
  one.words = "2 of 3 saw <it>";
  one.thumbnail = "iVBORw0KGgo=";
  return one;
}

TEST(CohortPage, TheQueueNamesFindingsAndSaysWhatItLeavesOut) {
  Overview overview = small();
  overview.reviewed = true;
  overview.findings = {finding("a<b", 0)};
  overview.counts.findings = 7;
  overview.counts.cases_with_findings = 1;
  overview.tables.emplace_back("review");
  const std::string page = make_cohort_page(overview);
  EXPECT_TRUE(has(page, "2 of 3 saw &lt;it&gt;"));
  EXPECT_TRUE(has(page, "The first 1 of 7 findings in 1 case; <code>review.csv</code> has all of them."));
  EXPECT_TRUE(has(page, "src=\"data:image/png;base64,iVBORw0KGgo=\""));
  overview.reviewed = false;
  overview.findings.clear();
  EXPECT_TRUE(has(make_cohort_page(overview), "jaccard does not decide component by component"));
}

TEST(CohortPage, MethodsOfDifferentDistancesHaveAxesOfTheirOwn) {
  Overview overview = small();
  overview.methods = {"jaccard", "dice", "majority"};
  overview.distances = {"jaccard", "dice", "jaccard"};
  cohort::MethodSpread spread;
  spread.lmsd = {2, 0, {0.25, 0.5}};
  overview.spreads = {{.label = "", .methods = {spread, spread, spread}}};
  const std::string page = make_cohort_page(overview);
  const std::size_t jaccard = page.find("<title>Distance to the raters: jaccard</title>"),
                    dice = page.find("<title>Distance to the raters: dice</title>");
  ASSERT_NE(jaccard, std::string::npos);
  ASSERT_NE(dice, std::string::npos);
  EXPECT_TRUE(has(page.substr(jaccard, dice - jaccard), "majority"));
  EXPECT_FALSE(has(page.substr(dice, page.find("</svg>", dice) - dice), "majority"));
}

TEST(CohortPage, ADotLeadsToTheRowOfItsCase) {
  Overview overview = small();
  overview.spreads[0].methods[0].dice = {2, 0, {0.85, 0.55}};
  const std::string page = make_cohort_page(overview);
  EXPECT_TRUE(has(page, "<a href=\"#case-1\"><title>a&lt;b: 0.850</title>"));
  EXPECT_TRUE(has(page, "<a href=\"#case-2\"><title>c: 0.550</title>"));
}

TEST(CohortPage, NamesOfCasesCannotTurnTheWritingOfThePage) {
  Overview overview = small();
  overview.cases[0].name = "\xe2\x80\xaegnp</script>\xd8\x9c\xe2\x81\xa6";
  const std::string page = make_cohort_page(overview);
  EXPECT_TRUE(has(page, "\\u202egnp"));
  for (const char* letter : {"\xe2\x80\xae", "\xd8\x9c", "\xe2\x81\xa6", "gnp</script>"})
    EXPECT_FALSE(has(page, letter)) << letter;
}

/// One panel of one of three raters.
StatisticsTable panel_of_one() {
  return {
      "How.",
      {{"raters", "panel", "cases", "panels", "rest_low_quartile", "rest_median", "rest_high_quartile",
        "all_low_quartile", "all_median", "all_high_quartile"},
       {{std::int64_t{3}, std::int64_t{1}, std::int64_t{2}, std::int64_t{6}, 0.5, 0.6, 0.7, 0.6, 0.7, 0.8}}}};
}

TEST(CohortPage, StatisticsHaveTheirNumbersBesideThem) {
  CohortStatistics statistics;
  statistics.effects = {"How.",
                        {{"outcome", "rater", "cases", "mean", "effect", "low", "high", "percent"},
                         {{"log volume", "a<b", std::int64_t{3}, 1.0, 0.1, 0.05, 0.15, 10.5}}}};
  statistics.panel = panel_of_one();
  const std::string page = make_cohort_page(small(), {statistics});
  EXPECT_TRUE(has(page, "<title>Who draws larger or smaller</title>"));
  EXPECT_TRUE(has(page, "+10.5 (+5.1 to +16.2)"));
  EXPECT_TRUE(has(page, "<title>How many of 3 raters are enough (2 of 2 cases)</title>"));
  EXPECT_TRUE(has(page, "id=\"effects\"") && has(page, "id=\"panel\""));
  EXPECT_FALSE(has(page, "a<b"));
}

TEST(CohortPage, PanelsSayOfHowManyCasesTheyAreAndStartWithTheMost) {
  CohortStatistics statistics;
  statistics.panel = panel_of_one();
  for (const auto& [raters, cases] : {std::pair{4, 21}, std::pair{5, 8}, std::pair{6, 3}}) {
    std::vector<Cell> row = statistics.panel.table.rows.front();
    row[0] = std::int64_t{raters};
    row[2] = std::int64_t{cases};
    statistics.panel.table.rows.push_back(row);
  }
  const std::string page = make_cohort_page(small(), {statistics});
  const std::size_t most = page.find("<title>How many of 4 raters are enough (21 of 34 cases)</title>");
  const std::size_t less = page.find("<title>How many of 5 raters are enough (8 of 34 cases)</title>");
  EXPECT_LT(most, less);
  EXPECT_NE(less, std::string::npos);
  EXPECT_FALSE(has(page, "How many of 3 raters"));
}

TEST(CohortPage, PanelsDoNotClaimThatRatersWereDeclaredToPersist) {
  CohortStatistics statistics;
  statistics.panel = panel_of_one();
  const std::string page = make_cohort_page(small(), {statistics});
  EXPECT_TRUE(has(page, "id=\"panel\"") && has(page, "bars are quartiles"));
  EXPECT_FALSE(has(page, "was declared"));
}

TEST(CohortPage, DefectsComeFirstKindByKind) {
  Overview overview = small();
  overview.kinds = {{WarningKind::empty_mask, 1, 1, {"c"}},
                    {WarningKind::order, 2, 2, {"c"}},
                    {WarningKind::reoriented, 2, 9, {"c"}}};
  overview.defects = {{"c", "", Warning(std::string("the mask <is> empty"), WarningKind::empty_mask)}};
  const std::string page = make_cohort_page(overview);
  const std::size_t defect = page.find("the mask &lt;is&gt; empty"), caution = page.find("id=\"cautions\""),
                    folded = page.find("with 9 routine notes");
  EXPECT_LT(defect, caution);
  EXPECT_LT(caution, folded);
  EXPECT_NE(folded, std::string::npos);
}

TEST(CohortPage, ALinkLeadsToTheReport) {
  EXPECT_EQ(url_of("cases/a%20b/report.html"), "cases/a%2520b/report.html");
  EXPECT_EQ(url_of("é\"<"), "%C3%A9%22%3C");
  Overview overview = small();
  overview.cases[0].report = "cases/a%3Cb/report.html";
  const std::string page = make_cohort_page(overview);
  EXPECT_TRUE(has(page, "<a href=\"cases/a%253Cb/report.html\"><bdi>a&lt;b</bdi></a>"));
  EXPECT_FALSE(has(page, "The cases have no pages"));
}

TEST(CohortPage, ListsWhatFailedAndTheLowestOverlapsWhereThereAreTooMany) {
  Overview overview = small();
  overview.cases.clear();
  for (std::size_t c = 0; c < kMaxListedCases + 10; ++c)
    overview.cases.push_back(done("case" + std::to_string(c), 0.9, c < 10 ? 0.95 : 0.8));
  add_up(overview);
  const CohortMaterial material(overview);
  EXPECT_EQ(material.listed.size(), kMaxListedCases);
  EXPECT_FALSE(material.lists(9));
  EXPECT_TRUE(material.lists(10));
  EXPECT_TRUE(material.lists(kMaxListedCases + 9));
}

}  // namespace
}  // namespace crema::report
