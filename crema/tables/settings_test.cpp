// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/settings.h"

#include <set>

#include <gtest/gtest.h>

#include "crema/base/error.h"

namespace crema {
namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

Settings make(const Given& given) {
  Settings result;
  for (const auto& [name, text] : given) set(result, name, text);
  return result;
}

Warnings checked(const Given& given, const std::vector<std::string>& names) {
  return check(make(given), find_methods(names));
}

/// The refusal as the program says it, or nothing.
std::string refusal(const Given& given, const std::vector<std::string>& names) {
  try {
    checked(given, names);
  } catch (const UsageError& error) {
    return error.sentence.text(Spelling::program);
  }
  return "";
}

TEST(Settings, HaveNamesOfTheirOwnAndASentenceEach) {
  std::set<std::string_view> names;
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_TRUE(setting.text.ends_with('.')) << setting.name;
    EXPECT_FALSE(setting.type.empty() || setting.group.empty()) << setting.name;
  }
}

TEST(Settings, WhatWasSetCanBeTold) {
  const Settings result =
      make({{"blocks", "group"}, {"weights", "1,0.5"}, {"prior", "500/N^1"}, {"tie", "foreground"}});
  EXPECT_EQ(std::get<std::string>(find_setting("blocks").get(result)), "group");
  EXPECT_EQ(std::get<std::vector<double>>(find_setting("weights").get(result)),
            (std::vector<double>{1, 0.5}));
  EXPECT_EQ(std::get<std::string>(find_setting("prior").get(result)), "500/N^1");
  EXPECT_EQ(std::get<std::string>(find_setting("tie").get(result)), "foreground");
}

TEST(Settings, AWrongValueIsRefusedWithItsNameAndTheNearestWord) {
  try {
    make({{"blocks", "grup"}});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.sentence.text(Spelling::program),
              "--blocks: grup is not one of subcrown, crown, voxel, group. Did you mean group?");
    EXPECT_EQ(error.sentence.text(Spelling::python).substr(0, 9), "blocks=: ");
  }
  EXPECT_THROW(make({{"thread", "2"}}), UsageError);
}

TEST(Settings, AMethodForLevelsAsksForThemWhateverElseIsGiven) {
  for (const std::string method : {"robust", "median", "logit-average"})
    for (const std::string own : {"labels", "label"})
      EXPECT_EQ(refusal({{own, "1"}}, {method}), method + " takes probability maps; give --probabilities.");
  EXPECT_EQ(refusal({{"labels", "all"}}, {"staple-mrf"}).find("logit-average"), std::string::npos);
}

TEST(Settings, ApplyOnlyToMethodsThatAcceptThem) {
  EXPECT_EQ(refusal({{"drop_below", "2"}}, {"jaccard"}),
            "--drop-below applies to simple only, not to jaccard.");
  EXPECT_NE(refusal({{"prior", "0.5"}}, {"jaccard"}), "");
  EXPECT_NE(refusal({{"prior", "0.5"}}, {"ml-staple"}), "");
  EXPECT_EQ(refusal({{"prior", "0.5"}}, {"jaccard", "accuracy"}), "");
  EXPECT_NE(refusal({{"roi", "box"}}, {"simple"}), "");
  EXPECT_EQ(refusal({{"roi", "box"}}, {"ml-staple"}), "");
  EXPECT_NE(refusal({{"blocks", "group"}}, {"majority"}), "");
  for (const std::string method : {"staple", "shape", "local-staple"})
    EXPECT_NE(refusal({{"slice_wise", "z"}}, {method}), "") << method;
}

TEST(Settings, AreRefusedForMethodsThatNeverLookAtThem) {
  for (const std::string method :
       {"average", "staple", "accuracy", "local-staple", "shape-soft", "staple-mrf"})
    EXPECT_NE(refusal({{"tie", "foreground"}}, {method}), "") << method;
  for (const std::string method : {"jaccard", "majority", "local-majority", "simple", "ml-staple", "shape"})
    EXPECT_EQ(refusal({{"tie", "foreground"}}, {method}), "") << method;
  EXPECT_EQ(refusal({{"tie", "foreground"}, {"threshold_output", "0.5"}}, {"average"}), "");
  EXPECT_EQ(refusal({{"tie", "foreground"}, {"regions", "a=1+2"}}, {"average"}), "");
  EXPECT_EQ(refusal({{"tie", "foreground"}, {"labels", "all"}}, {"average"}), "");
  EXPECT_NE(refusal({{"tie", "foreground"}, {"labels", "all"}}, {"simple"}), "");
  EXPECT_EQ(refusal({{"undecided", "9"}, {"labels", "all"}}, {"jaccard"}),
            "--undecided applies to majority, staple and simple only, not to jaccard.");
  EXPECT_EQ(refusal({{"undecided", "9"}, {"labels", "all"}}, {"staple"}), "");
  EXPECT_NE(refusal({{"empty_test", "False"}}, {"hamming1"}), "");
  EXPECT_NE(refusal({{"max_iterations", "3"}}, {"ml-common"}), "");
}

TEST(Settings, ThatFitOnlySomeMethodsGiveAWarning) {
  const Warnings warnings = checked({{"weights", "1,2"}}, {"jaccard", "staple"});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().text(Spelling::program), "--weights does not apply to staple.");
  EXPECT_TRUE(checked({{"weights", "1,2"}}, {"jaccard", "dice"}).empty());
}

TEST(Settings, AMarginNeedsSomethingToLieAround) {
  EXPECT_NE(refusal({{"margin", "3"}}, {"staple"}), "");
  EXPECT_NE(refusal({{"margin", "3"}, {"roi", "full"}}, {"staple"}), "");
  EXPECT_EQ(refusal({{"margin", "3"}, {"roi", "union"}}, {"staple"}), "");
}

TEST(Settings, AMaskAsRegionIsForMethodsWithARegionAlone) {
  EXPECT_NE(refusal({{"roi", "mask.nii"}}, {"staple", "jaccard"}), "");
  EXPECT_EQ(refusal({{"roi", "mask.nii"}}, {"staple", "ml-staple"}), "");
}

TEST(Settings, APresetSettlesThingsForStapleAlone) {
  EXPECT_EQ(refusal({{"preset", "itk"}}, {"staple"}), "");
  EXPECT_NE(refusal({{"preset", "itk"}}, {"accuracy"}), "");
  EXPECT_NE(refusal({{"preset", "itk"}, {"tolerance", "1e-3"}}, {"staple"}), "");
}

TEST(Settings, AFormerNameIsTheSameSetting) {
  EXPECT_EQ(&find_setting("region"), &find_setting("roi"));
  EXPECT_EQ(make({{"region", "box"}}).options.region.kind, Region::Kind::box);
}

TEST(Settings, WhatMeasuresReadNeedsNoMethodThatAcceptsIt) {
  Settings result = make({{"roi", "box"}, {"margin", "2"}});
  EXPECT_THROW(check(result, find_methods(std::vector<std::string>{"jaccard"})), UsageError);
  result.measured = true;
  EXPECT_TRUE(check(result, find_methods(std::vector<std::string>{"jaccard"})).empty());
  EXPECT_EQ(measures_of(result, result.options).region.margin, 2);
}

TEST(Settings, WhatGoesTogetherIsRequiredByName) {
  EXPECT_EQ(refusal({{"margin", "3"}}, {"staple"}), "--margin requires --roi box or union.");
  EXPECT_EQ(refusal({{"seed", "3"}}, {"jaccard"}), "--seed requires --bootstrap.");
  EXPECT_NE(refusal({{"labels", "all"}, {"segments_are", "raters"}}, {"jaccard"}), "");
  EXPECT_EQ(refusal({{"labels", "all"}, {"segments_are", "labels"}}, {"jaccard"}), "");
  EXPECT_EQ(refusal({{"regions", "a=1+2"}, {"undecided", "9"}}, {"majority"}),
            "--undecided requires --labels.");
  EXPECT_NE(refusal({{"regions", "a=1+2"}, {"consensus_threshold", "0.5"}}, {"jaccard"}), "");
}

TEST(Settings, ABudgetNeedsSomethingToProve) {
  EXPECT_NE(refusal({{"budget", "5"}}, {"jaccard"}), "");
  EXPECT_EQ(refusal({{"budget", "5"}, {"certify", "True"}}, {"jaccard"}), "");
  EXPECT_EQ(refusal({{"budget", "5"}, {"blocks", "group"}}, {"jaccard"}), "");
}

TEST(Settings, AGivenTieWinsOverAPresets) {
  const Grid grid{.size = {4, 4, 1}};
  EXPECT_EQ(options_for(make({{"preset", "niftyseg"}}), grid).tie, Tie::foreground);
  EXPECT_EQ(options_for(make({{"preset", "niftyseg"}, {"tie", "background"}}), grid).tie, Tie::background);
}

TEST(Settings, TheWidestAxisIsFoundOnTheGrid) {
  const Grid grid{.size = {4, 4, 4}, .spacing = {1, 3, 1}};
  EXPECT_EQ(options_for(make({{"slice_wise", "auto"}}), grid).slice_wise, Axis::y);
  EXPECT_THROW(options_for(make({{"connectivity", "8"}}), grid), InputError);
}

}  // namespace
}  // namespace crema
