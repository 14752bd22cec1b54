// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/overview_builder.h"

#include <algorithm>
#include <random>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace crema::cohort {
namespace {

/// Cases in the order of their names, of which some failed or wait; the lowest overlap of each is random.
std::vector<CaseDigest> random_digests(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<CaseDigest> digests;
  for (int c = 0; c < count; ++c) {
    CaseDigest& one = digests.emplace_back();
    one.name = fmt::format("case{:05}", c);
    one.raters = 2;
    const auto kind = random() % 50;
    one.kind = kind == 0   ? CaseState::Kind::failed
               : kind == 1 ? CaseState::Kind::missing
                           : CaseState::Kind::done;
    if (kind == 0) one.failure = CaseFailure{"input", "torn"};
    if (one.kind != CaseState::Kind::done) continue;
    const double dice = static_cast<double>(random() % 200) / 200;
    one.labels = {{"", 1, 0.5, 0, "b", {{"a", 1, 0}, {"b", dice, 5}}}};
  }
  return digests;
}

TEST(OverviewBuilder, KeepsTheLowestOverlapsAndCountsAll) {
  const unsigned seed = 7;
  SCOPED_TRACE(seed);
  const std::vector<CaseDigest> digests = random_digests(seed, 6000);
  ReadyRun ready;
  ready.cohort.raters = {"a", "b"};
  OverviewBuilder builder(ready);
  for (const CaseDigest& one : digests) builder.add(one);
  const Overview& found = builder.finish({}, {});

  std::vector<std::pair<double, std::size_t>> lowest;
  for (std::size_t c = 0; c < digests.size(); ++c)
    if (digests[c].kind == CaseState::Kind::done)
      lowest.emplace_back(*digests[c].labels.front().beside.back().dice, c);
  std::sort(lowest.begin(), lowest.end());
  EXPECT_EQ(found.counts.done, std::ssize(lowest));
  EXPECT_EQ(found.counts.cases, 6000);
  lowest.resize(Overview::kMaxCases);
  for (const auto& [dice, number] : lowest)
    EXPECT_TRUE(std::any_of(found.cases.begin(), found.cases.end(),
                            [n = number](const CaseGlance& one) { return one.number == n; }));
  EXPECT_EQ(std::ssize(found.cases), std::ssize(lowest) + found.counts.failed + found.counts.waiting);
  EXPECT_EQ(found.rater_overview[1].lowest_dice, lowest.front().first);
  EXPECT_EQ(found.rater_overview[1].lowest_number, lowest.front().second);
  EXPECT_EQ(found.rater_overview[1].farthest, found.counts.done);
}

TEST(OverviewBuilder, CountsACaseOnceHoweverManyLabelsItHas) {
  CaseDigest one{.name = "a", .kind = CaseState::Kind::done, .missing = {"c"}, .raters = 2};
  for (const auto& [label, agreement] : {std::pair{"liver", 0.75}, {"vessel", 0.25}})
    one.labels.push_back({label, 1, agreement, 2, "b", {{"a", 1, 0}, {"b", 0.5, 5}}});
  one.labels.push_back({"spleen", 0, {}, 2, "", {{"a", {}, {}}, {"b", {}, {}}}});
  one.kinds = {{WarningKind::empty_mask, 1, {"anna"}}, {WarningKind::reoriented, 1, {}}};
  one.defects = {"empty"};
  one.defect_kinds = {WarningKind::empty_mask};
  const ReadyRun ready;
  OverviewBuilder builder(ready);
  builder.add(one);
  const Overview& found = builder.finish({}, {});
  const OverviewCounts& counts = found.counts;
  EXPECT_EQ((std::vector{counts.cases, counts.done, counts.lacking, counts.warned, counts.faulty}),
            (std::vector<std::int64_t>{1, 1, 1, 1, 1}));
  EXPECT_EQ(counts.rows, 3);
  EXPECT_EQ(counts.done_rows, 3);
  ASSERT_EQ(found.agreement.size(), 2U);
  EXPECT_EQ(found.agreement[0].label, "liver");
  EXPECT_EQ(found.agreement[1].median, 0.25);
  EXPECT_EQ(found.rater_overview[1].cases, 1);
  EXPECT_EQ(found.rater_overview[1].rows, 2);
  EXPECT_EQ(found.rater_overview[1].farthest, 2);
}

TEST(OverviewBuilder, QueuesTheFindingsOfAllCasesInOneOrderAndBounds) {
  const unsigned seed = 11;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::vector<CaseDigest> digests = random_digests(seed, 300);
  std::vector<std::tuple<ReviewReason, double>> expected;
  std::int64_t cases = 0;
  for (CaseDigest& one : digests) {
    if (one.kind != CaseState::Kind::done) continue;
    one.thumbnail = {"picture"};
    cases += 1;
    for (int f = 0; f < 5; ++f) {
      const auto reason = static_cast<ReviewReason>(random() % 3);
      const double fall = static_cast<double>(random() % 1000) / 1000;
      one.findings.push_back({"", reason, "words", f, 10, fall});
      expected.emplace_back(reason, -fall);
    }
  }
  std::sort(expected.begin(), expected.end());
  const ReadyRun ready;
  OverviewBuilder builder(ready);
  for (const CaseDigest& one : digests) builder.add(one);
  const Overview& found = builder.finish({}, {});
  EXPECT_EQ(found.counts.findings, std::ssize(expected));
  EXPECT_EQ(found.counts.cases_with_findings, cases);
  ASSERT_EQ(found.findings.size(), Overview::kMaxFindings);
  std::size_t pictures = 0;
  for (std::size_t f = 0; f < found.findings.size(); ++f) {
    const FindingGlance& one = found.findings[f];
    EXPECT_EQ(std::tuple(one.reason, -one.fall), expected[f]) << f;
    EXPECT_EQ(digests[one.number].name, one.name);
    pictures += one.thumbnail.empty() ? 0U : 1U;
  }
  EXPECT_EQ(pictures, Overview::kMaxThumbnails);
}

}  // namespace
}  // namespace crema::cohort
