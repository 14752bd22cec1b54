// SPDX-License-Identifier: Apache-2.0
#include "report/cohort_page.h"

#include <gtest/gtest.h>

#include "report/cohort_sections.h"

namespace crema::report {
namespace {

using cohort::CaseGlance;
using cohort::Overview;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

CaseGlance done(const std::string& name, double first, double second) {
  CaseGlance glance{.name = name, .status = CaseGlance::Status::done, .raters = 2};
  glance.methods = {{3, 1500, 0.25, 4, (first + second) / 2}};
  glance.beside = {{0, first, 10}, {1, second, -10}};
  glance.agreement = 0.75;
  glance.farthest = "ben";
  return glance;
}

Overview small() {
  Overview overview{"1.0", {"jaccard"}, {"anna", "ben"}, {}};
  overview.cases = {done("a<b", 0.9, 0.8), done("c", 0.7, 0.4)};
  CaseGlance failed{.name = "d", .status = CaseGlance::Status::failed, .raters = 2};
  failed.failure = "input";
  failed.reason = "d/<x>: is cut short.";
  overview.cases.push_back(failed);
  overview.cases.push_back({.name = "e", .raters = 2});
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

TEST(CohortPage, TheMapBeginsWithTheLowestOverlap) {
  const std::string page = make_cohort_page(small());
  EXPECT_LT(page.find("<title>c: ben 0.400, anna 0.700</title>"),
            page.find("<title>a&lt;b: ben 0.800, anna 0.900</title>"));
}

TEST(CohortPage, ALinkLeadsToTheReport) {
  EXPECT_EQ(url_of("cases/a%20b/report.html"), "cases/a%2520b/report.html");
  EXPECT_EQ(url_of("é\"<"), "%C3%A9%22%3C");
  Overview overview = small();
  overview.cases[0].report = "cases/a%3Cb/report.html";
  const std::string page = make_cohort_page(overview);
  EXPECT_TRUE(has(page, "<a href=\"cases/a%253Cb/report.html\"><bdi>a&lt;b</bdi></a>"));
  EXPECT_FALSE(has(page, "No case has a page of its own"));
}

TEST(CohortPage, ListsWhatFailedAndTheLowestOverlapsWhereThereAreTooMany) {
  Overview overview = small();
  overview.cases.clear();
  for (std::size_t c = 0; c < kMostCases + 10; ++c)
    overview.cases.push_back(done("case" + std::to_string(c), 0.9, c < 10 ? 0.95 : 0.8));
  const CohortMaterial material(overview);
  EXPECT_EQ(material.listed.size(), kMostCases);
  EXPECT_FALSE(material.lists(9));
  EXPECT_TRUE(material.lists(10));
  EXPECT_TRUE(material.lists(kMostCases + 9));
}

}  // namespace
}  // namespace crema::report
