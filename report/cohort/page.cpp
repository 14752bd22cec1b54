// SPDX-License-Identifier: Apache-2.0
#include "report/cohort/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/cohort/sections.h"
#include "report/embedded.h"
#include "report/frame.h"
#include "report/html.h"

namespace crema::report {
namespace {

/// Where raters agree least comes first; what is not known stays behind.
void worst_first(std::vector<Listed>& cases) {
  std::stable_sort(cases.begin(), cases.end(), [](const Listed& a, const Listed& b) {
    return lowest_dice(*a.glance).value_or(2) < lowest_dice(*b.glance).value_or(2);
  });
}

}  // namespace

CohortMaterial::CohortMaterial(const Overview& all) : overview(all) {
  for (const CaseGlance& one : all.cases) {
    using enum CaseGlance::Status;
    (one.status == done     ? this->done
     : one.status == failed ? this->failed
                            : waiting)
        .push_back({&one, one.number});
  }
  worst_first(done);
  for (std::size_t r = 0; r < all.rater_overview.size(); ++r)
    if (all.rater_overview[r].cases > 0) raters.push_back(r);
  std::sort(raters.begin(), raters.end(),
            [&](std::size_t a, std::size_t b) { return all.raters[a] < all.raters[b]; });
  for (const std::vector<Listed>* some : {&failed, &done, &waiting})
    for (const Listed& one : *some)
      if (listed.size() < kMaxListedCases) listed.push_back(one);
  std::sort(listed.begin(), listed.end(),
            [](const Listed& a, const Listed& b) { return a.number < b.number; });
}

bool CohortMaterial::lists(std::size_t number) const {
  return std::binary_search(listed.begin(), listed.end(), Listed{nullptr, number},
                            [](const Listed& a, const Listed& b) { return a.number < b.number; });
}

std::string url_of(const std::string& path) {
  std::string url;
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

std::string make_cohort_page(const cohort::Overview& overview,
                             const std::vector<CohortStatistics>& statistics) {
  const CohortMaterial material(overview);
  const std::string sections =
      cohort_verdict(material) + failures_section(material) + warnings_section(material) +
      queue_section(material) + cases_section(material) + distributions_section(material) +
      map_section(material) + cohort_raters_section(material) + statistics_section(statistics) +
      numbers_section(material) + tables_section(material) + bench_html();
  const std::string links = links_to({{"failed", "Failed"},
                                      {"warnings-section", "Warnings"},
                                      {"queue-section", "Queue"},
                                      {"cases-section", "Cases"},
                                      {"methods", "Methods"},
                                      {"map", "Map"},
                                      {"raters-section", "Raters"},
                                      {"statistics", "Statistics"},
                                      {"numbers", "Numbers"},
                                      {"tables", "Tables"}},
                                     sections);
  const std::string title = fmt::format("Cohort of {}", counted(overview.counts.cases, "case", "cases"));
  return framed({.title = title + ": raters and consensus",
                 .brand = "cohort",
                 .heading = title,
                 .links = links,
                 .sections = sections,
                 .made = overview.version,
                 .data = data_block("run", "application/json", run_data(material)),
                 .style = embedded::cohort_style(),
                 .script = embedded::cohort_script(),
                 .sha = embedded::cohort_script_sha256(),
                 .frames = true});
}

}  // namespace crema::report
