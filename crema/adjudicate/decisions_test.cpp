// SPDX-License-Identifier: Apache-2.0
#include "crema/adjudicate/decisions.h"

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

const std::string kHash(64, 'a');

std::string file_with(const std::string& list, const std::string& more = "") {
  return R"({"crema": "1", "decisions": 1, "method": "jaccard", "settings": {"tie": "background"}, )" + more +
         R"("size": [4, 3, 2], "inputs": [{"name": "a.nii", "sha256": ")" + kHash + R"("}], "list": [)" +
         list + "]}";
}

std::string refusal_of(const std::string& text) {
  try {
    parse_decisions(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Decisions, AreReadBackAsTheyWereWritten) {
  Decisions decisions{
      .version = "1", .adjudicator = "A", .method = "dice", .settings = {{"tie", "foreground"}}};
  decisions.size = {4, 3, 2};
  decisions.inputs = {{"a.nii", kHash}};
  decisions.list = {{.component = 2,
                     .zone = 7,
                     .action = Action::rater,
                     .rater = 1,
                     .reason = "r",
                     .time = "2026-11-15T20:47:41Z"},
                    {.label = "liver", .action = Action::erase, .runs = {{3, 2}}}};
  const std::string text = to_json(decisions).text();
  const Decisions read = parse_decisions(text);
  EXPECT_EQ(to_json(read).text(), text);
  EXPECT_EQ(read.list[0].component, 2U);
  EXPECT_EQ(read.list[0].zone, 7);
  EXPECT_EQ(read.list[0].rater, 1);
  EXPECT_EQ(read.list[1].runs.front().length, 2);
}

TEST(Decisions, WhatCremaDidNotWriteIsRefusedWithAReason) {
  EXPECT_NE(refusal_of("{}"), "");
  EXPECT_NE(refusal_of("[]"), "");
  EXPECT_NE(refusal_of(file_with("").substr(0, 80)), "");
  EXPECT_EQ(refusal_of(file_with("")), "");
  const std::vector<std::pair<std::string, std::string>> bad{
      {R"({"component": 0, "action": "accept"})", "component"},
      {R"({"component": 99, "action": "accept"})", "component"},
      {R"({"component": 1.5, "action": "accept"})", "whole number"},
      {R"({"component": "1", "action": "accept"})", "whole number"},
      {R"({"component": 1, "action": "delete"})", "delete"},
      {R"({"component": 1, "action": "rater"})", "rater"},
      {R"({"component": 1, "action": "rater", "rater": 65})", "65"},
      {R"({"component": 1, "action": "accept", "zone": 24})", "zone"},
      {R"({"component": 1, "action": "accept", "path": "/etc"})", "path"},
      {R"({"component": 1, "action": "accept", "time": "today"})", "time"},
      {R"({"component": 1, "action": "accept", "time": "2026-11-15T20:47:41.5Z"})", "time"},
      {R"({"action": "accept"})", "component"},
      {R"({"action": "draw"})", "runs"},
      {R"({"action": "draw", "runs": [[20, 5]]})", "runs"},
      {R"({"action": "draw", "runs": [[-1, 1]]})", "runs"},
      {R"({"action": "draw", "runs": [[0, 1, 2]]})", "pairs"},
      {R"({"action": "draw", "runs": 3})", "list"},
      {R"({"action": "draw", "runs": [[0, 4], [3, 2]]})", "overlap"},
      {R"({"action": "erase", "runs": [[6, 1], [2, 1]]})", "out of order"},
      {"3", "object"}};
  for (const auto& [verdict, reason] : bad) {
    const std::string said = refusal_of(file_with(verdict));
    EXPECT_NE(said.find("decision 1: "), std::string::npos) << verdict;
    EXPECT_NE(said.find(reason), std::string::npos) << verdict << ": " << said;
  }
}

TEST(Decisions, OfOneFilePassOverABillionVoxelsAtMost) {
  const auto text = [](int strokes) {
    std::string list;
    for (int i = 0; i < strokes; ++i)
      list += std::string(i == 0 ? "" : ",") + R"({"action": "draw", "runs": [[0, 1000000]]})";
    std::string all = file_with(list);
    return all.replace(all.find("[4, 3, 2]"), 9, "[100, 100, 100]");
  };
  EXPECT_EQ(refusal_of(text(1000)), "");
  EXPECT_NE(refusal_of(text(1001)).find("decision 1001: strokes pass over more than 1000000000 voxels"),
            std::string::npos);
}

TEST(Decisions, KeepNoSettingThatNamesAFile) {
  EXPECT_FALSE(is_kept_by_decisions("region"));
  EXPECT_FALSE(is_kept_by_decisions("like"));
  std::string text = file_with("");
  text.replace(text.find("\"tie\": \"background\""), 19, "\"like\": \"/dev/zero\"");
  EXPECT_NE(refusal_of(text).find("like"), std::string::npos);
}

TEST(Decisions, OfSeveralPeopleAreComparedPlaceByPlace) {
  const Decisions first = parse_decisions(
      file_with(R"({"component": 1, "action": "accept"}, {"component": 2, "zone": 5, "action": "reject"})"));
  const Decisions second = parse_decisions(file_with(
      R"({"component": 1, "action": "accept"}, {"component": 2, "zone": 5, "action": "rater", "rater": 2},
                   {"component": 3, "action": "keep"})"));
  const std::vector<Decisions> files{first, second};
  const std::vector<std::string> names{"a", "b"};
  const auto places = compare_decisions(files, names);
  ASSERT_EQ(places.size(), 3U);
  EXPECT_TRUE(places[0].same);
  EXPECT_FALSE(places[1].same);
  EXPECT_EQ(places[1].actions, (std::vector<std::string>{"reject", "rater 2"}));
  EXPECT_EQ(places[2].actions, (std::vector<std::string>{"", "keep"}));
  Decisions other = second;
  other.inputs.front().sha256 = std::string(64, 'b');
  const std::vector<Decisions> strangers{first, other};
  EXPECT_THROW(compare_decisions(strangers, names), InputError);
}

}  // namespace
}  // namespace crema
