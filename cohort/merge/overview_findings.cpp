// SPDX-License-Identifier: Apache-2.0
// The queue of an overview: the findings that come first, of all cases.
#include <algorithm>
#include <set>
#include <tuple>

#include "cohort/merge/overview_builder.h"

namespace crema::cohort {
namespace {

/// The order of METHOD 11 over all cases; where all is equal the order of names decides.
bool comes_first(const FindingGlance& a, const FindingGlance& b) {
  return std::tuple(a.reason, -a.fall, -a.voxels, a.number, a.component) <
         std::tuple(b.reason, -b.fall, -b.voxels, b.number, b.component);
}

}  // namespace

/// To be called before the rows of the case are counted. The first of all are kept, in a heap whose first is
/// the last of them.
void OverviewBuilder::add_findings(const CaseDigest& one) {
  std::vector<FindingGlance>& kept = overview_.findings;
  overview_.counts.findings += std::ssize(one.findings);
  overview_.counts.cases_with_findings += one.findings.empty() ? 0 : 1;
  for (const FindingDigest& finding : one.findings) {
    const auto row = std::find_if(one.labels.begin(), one.labels.end(),
                                  [&](const LabelDigest& label) { return label.label == finding.label; });
    FindingGlance glance{.name = valid_utf8(one.name), .label = finding.label, .report = one.name};
    glance.number = static_cast<std::size_t>(overview_.counts.rows + (row - one.labels.begin()));
    glance.reason = finding.reason;
    glance.words = finding.words;
    glance.component = finding.component;
    glance.voxels = finding.voxels;
    glance.fall = finding.fall;
    if (finding.label == one.thumbnail.label) glance.thumbnail = one.thumbnail.png;
    if (kept.size() == Overview::kMaxFindings) {
      if (!comes_first(glance, kept.front())) continue;
      std::pop_heap(kept.begin(), kept.end(), comes_first);
      kept.pop_back();
    }
    kept.push_back(std::move(glance));
    std::push_heap(kept.begin(), kept.end(), comes_first);
  }
}

/// A thumbnail stays with the first finding of its label in a case, of the first cases alone.
void OverviewBuilder::sort_findings() {
  std::sort(overview_.findings.begin(), overview_.findings.end(), comes_first);
  std::set<std::string_view> shown;
  for (FindingGlance& one : overview_.findings) {
    if (one.thumbnail.empty()) continue;
    if (shown.size() == Overview::kMaxThumbnails || !shown.insert(one.report).second) one.thumbnail.clear();
  }
}

}  // namespace crema::cohort
