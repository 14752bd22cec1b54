// SPDX-License-Identifier: Apache-2.0
#include "crema/records/record.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "crema/records/records.h"
#include "test/ascii.h"

namespace crema {
namespace {

nlohmann::json record_of(const Options& options, const std::vector<std::string>& raters = {}) {
  const auto first = ascii::mask({"##...", ".....", "....#"});
  const auto second = ascii::mask({"###..", ".....", "....."});
  const auto third = ascii::mask({"##...", ".....", "....."});
  const std::vector<Mask> masks{first, second, third};
  const Consensus c = fuse({.size = {5, 3, 1}, .spacing = {0.5, 2, 3}}, masks, options);
  return nlohmann::json::parse(to_json(c, options, raters));
}

TEST(Record, HasEveryFieldOfItsSchema) {
  const auto json = record_of({});
  for (const char* field :
       {"crema",        "command",         "method",  "paper_name", "kind",        "reference",
        "connectivity", "slice_wise",      "tie",     "distance",   "output",      "raters",
        "grid",         "components",      "lmsd",    "voxels",     "soft_volume", "volume_mm3",
        "entropy",      "component_table", "warnings"})
    EXPECT_TRUE(json.contains(field)) << field;
  for (const char* field : {"box", "raters_present", "union_voxels", "consensus_voxels", "soft_volume",
                            "criterion", "kept", "overlap"})
    EXPECT_TRUE(json["component_table"][0].contains(field)) << field;
}

TEST(Record, TellsTheSameNumbersAsTheResult) {
  const auto json = record_of({.method = "majority"}, {"a.nii", "b.nii", "c.nii"});
  EXPECT_EQ(json["components"], 2);
  EXPECT_EQ(json["voxels"], 2);
  EXPECT_EQ(json["volume_mm3"], nullptr);  // it is flat
  EXPECT_EQ(json["area_mm2"], 2.0);
  EXPECT_EQ(json["raters"][1]["file"], "b.nii");
  EXPECT_EQ(json["raters"][1]["voxels"], 3);
  EXPECT_EQ(json["component_table"][1]["raters_present"], nlohmann::json::array({1}));
  EXPECT_EQ(json["component_table"][1]["kept"], false);
  EXPECT_EQ(json["component_table"][0]["box"]["high"], nlohmann::json::array({3, 1, 1}));
}

TEST(Record, FloatingPointValuesSurviveTheText) {
  const auto first = ascii::mask({"##.#.", "#####", "....#"});
  const auto second = ascii::mask({"###..", "..##.", "....."});
  const std::vector<Mask> masks{first, second, first};
  const Consensus c = fuse({.size = {5, 3, 1}}, masks, {});
  const auto json = nlohmann::json::parse(to_json(c, {}));
  EXPECT_EQ(json["lmsd"].get<double>(), c.solution.lmsd);
  EXPECT_GT(c.solution.lmsd, 0);
}

TEST(Record, OfAStructureSaysItsLabelWhateverTheSettingOfThatNameIs) {
  const Json one{{"crema", "1"}, {"label", nullptr}, {"lmsd", 0.5}};
  const Json joined = join_records({"liver", "2"}, {one, one});
  const auto text = nlohmann::json::parse(record_text(joined));
  EXPECT_EQ(text["structures"][0]["label"], "liver");
  EXPECT_EQ(text["structures"][1]["label"], "2");
  EXPECT_EQ(nlohmann::json::parse(record_text(with_label("liver", one)))["label"], "liver");
}

TEST(Record, WarningsOfSeveralStructuresAreToldOnceWithTheirKinds) {
  const Json one{{"lmsd", 0.5}, {"warnings", Json::array()}, {"warning_kinds", Json::array()}};
  const auto text = nlohmann::json::parse(record_text(join_records({"liver", "2"}, {one, one})));
  EXPECT_TRUE(text.contains("warnings") && text.contains("warning_kinds"));
  for (const auto& structure : text["structures"]) EXPECT_FALSE(structure.contains("warning_kinds"));
}

TEST(Record, SurvivesFileNamesThatAreNotUnicode) { EXPECT_NO_THROW(record_of({}, {"\xff\xfe", "b", "c"})); }

}  // namespace
}  // namespace crema
