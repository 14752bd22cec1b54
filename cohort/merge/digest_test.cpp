// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/digest.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema::cohort {
namespace {

CaseDigest full_digest() {
  CaseDigest digest{.name = "line\nbreak \"ä\"", .kind = CaseState::Kind::done, .raters = 3};
  digest.failure = CaseFailure{"away", "a/b.nii: is not there."};
  digest.missing = {"carl", "dora"};
  digest.labels = {{"tumour", 2, 0.1 + 0.2, 1, "ben", {{"anna", 1.0 / 3, -1e-300}, {"ben", {}, {}}}}};
  digest.measures = {{"jaccard", "tumour", {1, {}, 2.5, 1e17, 0.25, -12.5, 0.75}}};
  digest.kinds = {{WarningKind::empty_mask, 2, {"anna", "ben"}}, {WarningKind::reoriented, 1, {}}};
  digest.defects = {"first", "second"};
  digest.defect_kinds = {WarningKind::empty_mask, WarningKind::empty_mask};
  digest.findings = {{"tumour", ReviewReason::left_out, "2 of 3 saw it; left out", 4, 17, 0.1 + 0.2}};
  digest.thumbnail = {"iVBORw0KGgo=", "tumour"};
  digest.result = "0123abcd";
  digest.bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  return digest;
}

TEST(CohortDigest, ReadsBackAsItWasWritten) {
  const CaseDigest digest = full_digest();
  const std::string line = digest_line(digest);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const CaseDigest read = digest_in(line);
  EXPECT_EQ(digest_line(read), line);
  EXPECT_EQ(read.name, digest.name);
  EXPECT_EQ(read.labels.front().agreement, digest.labels.front().agreement);
  EXPECT_EQ(read.labels.front().beside.front().larger, -1e-300);
  EXPECT_EQ(read.measures.front().glance.volume, std::nullopt);
  EXPECT_EQ(read.measures.front().glance.soft_voxels, 1e17);
  EXPECT_EQ(read.bytes, digest.bytes);
  EXPECT_EQ(read.findings.front().reason, ReviewReason::left_out);
  EXPECT_EQ(read.findings.front().fall, 0.1 + 0.2);
  EXPECT_EQ(read.thumbnail.png + read.thumbnail.label + read.result, "iVBORw0KGgo=tumour0123abcd");
}

TEST(CohortDigest, NamesTheRaterWhoseFileAWarningNamesFirst) {
  const auto input = [](const char* rater, const char* path) {
    return Json{{"rater", rater}, {"path", path}};
  };
  const Json inputs(
      Json::Array{input("anna", "c/1.nii"), input("ben", "c/1.nii.gz"), input("carl", "c/2.nii")});
  const auto kind = [](const char* name) { return Json{{"kind", name}}; };
  const Json result{{"inputs", inputs},
                    {"warnings", Json(Json::Array{"c/1.nii.gz: the mask is empty.",
                                                  "rater 3 (c/2.nii) is identical to rater 1 (c/1.nii).",
                                                  "c/1.nii: the mask is empty.",
                                                  "c/1.nii: the mask is empty.", "Nobody drew slice 3."})},
                    {"warning_kinds", Json(Json::Array{kind("empty-mask"), kind("copy"), kind("empty-mask"),
                                                       kind("empty-mask"), kind("missing-slice")})}};
  CaseDigest digest{.name = "c"};
  take_result(digest, result, "jaccard");
  ASSERT_EQ(digest.kinds.size(), 3U);
  EXPECT_EQ(digest.kinds[0].raters, (std::vector<std::string>{"ben", "anna"}));
  EXPECT_EQ(digest.kinds[0].warnings, 3);
  EXPECT_EQ(digest.kinds[1].raters, std::vector<std::string>{"carl"});
  EXPECT_TRUE(digest.kinds[2].raters.empty());
  EXPECT_EQ(digest_in(digest_line(digest)).kinds[0].raters, digest.kinds[0].raters);
}

TEST(CohortDigest, ACaseThatIsStillToBeDoneHasLittleToTell) {
  const CaseDigest read = digest_in(digest_line({.name = "a", .raters = 2}));
  EXPECT_EQ(read.kind, CaseState::Kind::missing);
  EXPECT_TRUE(read.labels.empty() && !read.failure);
}

TEST(CohortDigest, WhatIsNoDigestIsRefused) {
  for (const char* line : {"", "{", "{}", R"({"case":"a","bytes":[1]})",
                           R"({"case":"a","bytes":[1,2,3,4,5,6,7,8,9,10],"labels":[[1]]})",
                           R"({"case":"a","bytes":[1,2,3,4,5,6,7,8,9,10],"findings":[["","no",",",1,1,0]]})"})
    EXPECT_THROW(digest_in(line), InputError) << line;
}

}  // namespace
}  // namespace crema::cohort
