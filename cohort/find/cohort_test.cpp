// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/cohort.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "cohort/cluster/plan.h"
#include "cohort/find/bids.h"
#include "cohort/find/manifest.h"
#include "cohort/run/request.h"
#include "cohort/run/run_folder.h"
#include "crema/base/error.h"

namespace crema::cohort {
namespace {

Cohort cohort_of(std::vector<Entry> entries) {
  Cohort cohort;
  sort_into_cases(std::move(entries), cohort);
  return cohort;
}

TEST(Cohort, CasesAndRatersAreInTheOrderOfTheirNames) {
  const Cohort cohort = cohort_of({{"b", "y", "1"}, {"a", "z", "2"}, {"b", "x", "3"}});
  ASSERT_EQ(cohort.cases.size(), 2U);
  EXPECT_EQ(cohort.cases[1].raters, (std::vector<RaterFile>{{"x", "3"}, {"y", "1"}}));
  EXPECT_EQ(cohort.raters, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(missing_raters(cohort, cohort.cases[0]), (std::vector<std::string>{"x", "y"}));
}

TEST(Cohort, TwoFilesOfOneRaterAreRefusedWithTheirLines) {
  try {
    cohort_of({{"a", "x", "1", 2}, {"a", "y", "2", 3}, {"a", "x", "3", 9}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("1 (line 2) and 3 (line 9)"), std::string::npos) << e.what();
  }
}

TEST(Cohort, AManifestThatIsWrittenReadsBack) {
  const Cohort cohort = cohort_of({{"a\tb", "x\"y", "p/q"}, {"c", "new\nline", "r"}});
  std::string text;
  write_manifest(all_cases(cohort), [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text, "case\trater\tpath\n\"a\tb\"\t\"x\"\"y\"\tp/q\nc\t\"new\nline\"\tr\n");
}

TEST(Cohort, RatersArePersonsWhereTheManifestCallsThemSo) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "persons.tsv";
  const auto read = [&](const std::string& text) {
    std::ofstream(path) << text;
    return cohort_of(read_manifest(path));
  };
  const Cohort persons = read("path,case,person\np,a,anna\nq,a,ben\n");
  EXPECT_TRUE(persons.persons);
  EXPECT_EQ(persons.raters, (std::vector<std::string>{"anna", "ben"}));
  std::string text;
  write_manifest(
      all_cases(persons), [&](std::string_view piece) { text += piece; }, rater_column(persons));
  EXPECT_EQ(text, "case\tperson\tpath\na\tanna\tp\na\tben\tq\n");
  EXPECT_TRUE(read(text).persons);
  EXPECT_FALSE(read("case,rater,path\na,r1,p\n").persons);
  EXPECT_FALSE(read("case,person,rater,path\na,patient 1,r1,p\n").persons) << "another column";
}

TEST(Cohort, NamesThatAreNotUtf8StayTwo) {
  const Cohort cohort = cohort_of({{"\xFF", "x", "1"}, {"\xFE", "x", "2"}, {"é", "\xFF", "3"}});
  ASSERT_EQ(cohort.cases.size(), 3U);
  EXPECT_EQ(cohort.cases[0].name, "\\xFE");
  EXPECT_EQ(cohort.cases[1].name, "\\xFF");
  EXPECT_EQ(cohort.cases[2].raters.front(), (RaterFile{"\\xFF", "3"}));
  EXPECT_THROW(cohort_of({{"\xFF", "x", "1"}, {"\\xFF", "y", "2"}}), InputError);
}

TEST(Cohort, ACaseThatCannotBeReadSurvivesThePlan) {
  Cohort cohort = cohort_of({{"a", "x", "1", 0, "ct", ""}, {"b", "", "", 0, "", "b: cannot be opened."}});
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "own.tsv";
  std::ofstream file(path);
  write_manifest(all_cases(cohort), [&](std::string_view piece) { file << piece; });
  file.close();
  const Cohort back = cohort_of(read_own_manifest(path));
  ASSERT_EQ(back.cases.size(), 2U);
  EXPECT_EQ(back.cases[0].image, "ct");
  EXPECT_EQ(back.cases[1].unread, "b: cannot be opened.");
  EXPECT_TRUE(back.cases[1].raters.empty());
  EXPECT_EQ(back.raters, (std::vector<std::string>{"x"}));
  EXPECT_THROW(read_manifest(path), InputError) << "somebody's own manifest has a rater on each line";
}

TEST(Folder, WhatAFileOfARunNamesLiesInTheRun) {
  const std::filesystem::path root = std::filesystem::path(::testing::TempDir()) / "inside-test";
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(root / "run/cases");
  std::filesystem::create_directory_symlink("..", root / "run/out");
  const RunFolder run{root / "run"};
  EXPECT_EQ(inside(run, "cases/a.nii", "by"), root / "run/cases/a.nii");
  for (const char* named : {"", "/etc/passwd", "..", "../a", "cases/../../a", "out/a", "out"})
    EXPECT_THROW(inside(run, named, "by"), InputError) << named;
  EXPECT_NO_THROW(inside(run, "cases/..a", "by"));
  std::filesystem::remove_all(root);
}

TEST(Bids, EntitiesAreUnderstoodInAnyOrder) {
  const auto name = parse_bids("sub-01/anat/sub-01_desc-anna_label-lesion_ses-2_mask.nii.gz");
  ASSERT_TRUE(name);
  EXPECT_EQ(bids_case(*name), "sub-01_ses-2_label-lesion");
  EXPECT_EQ(name->entities.at("desc"), "anna");
  EXPECT_EQ(bids_result("sub-01_label-lesion", "", BidsKind::mask), "sub-01_label-lesion_desc-crema_mask");
  EXPECT_EQ(bids_result("sub-01", "ml-staple", BidsKind::levels), "sub-01_desc-cremamlstaple_probseg");
  EXPECT_EQ(bids_folder("derivatives/x/sub-01/anat/f.nii.gz"), "sub-01/anat");
}

TEST(Bids, OtherNamesAreNone) {
  for (const char* name : {"mask.nii.gz", "sub-01.nii.gz.txt", "sub-01_anna_mask.nii.gz", "sub-_mask.nii.gz",
                           "sub-01_sub-02_mask.nii.gz"})
    EXPECT_FALSE(parse_bids(name)) << name;
}

TEST(Folder, ManyCasesLieInFoldersOfAFewHundred) {
  EXPECT_EQ(fan_out_of(10'000), 0);
  EXPECT_EQ(fan_out_of(10'001), 1);
  EXPECT_EQ(fan_out_of(1'000'001), 2);
  // SHA-256 of "a b" begins with these digits.
  EXPECT_EQ((RunFolder{"run"}.of_case("a b")), "run/cases/a%20b");
  EXPECT_EQ((RunFolder{"run", 1}.of_case("a b")), "run/cases/c8/a%20b");
  EXPECT_EQ((RunFolder{"run", 2}.of_case("a b")), "run/cases/c8/68/a%20b");
  EXPECT_EQ((RunFolder{"run", 2}.above({"a b"})),
            (std::vector<std::filesystem::path>{"run/cases", "run/cases/c8", "run/cases/c8/68"}));
}

TEST(Folder, EveryNameGetsAnotherFolderThatIsSafe) {
  std::set<std::string> folders;
  const std::vector<std::string> names{
      "a", "A", "a/b", "a%2Fb", "..", ".", ".a", "a b", "\xFF", std::string(300, 'x'), std::string(301, 'x')};
  for (const std::string& name : names) {
    const std::string folder = folder_name(name);
    EXPECT_EQ(folder.find_first_of("/ "), std::string::npos);
    EXPECT_NE(folder.front(), '.');
    EXPECT_LT(folder.size(), 256U);
    folders.insert(folder);
  }
  EXPECT_EQ(folders.size(), names.size());
}

TEST(Plan, ShardsAreAboutEquallyLargeAndHoldEveryCaseOnce) {
  std::vector<Entry> entries;
  std::vector<std::int64_t> sizes;
  for (int c = 0; c < 100; ++c) {
    entries.push_back({"case" + std::to_string(1000 + c), "r", "x", 0});
    sizes.push_back(1'000'000 * (1 + c % 10));
  }
  const Cohort cohort = cohort_of(entries);
  const auto shards = balance(cohort, sizes, 7);
  ASSERT_EQ(shards.size(), 7U);
  std::set<const CohortCase*> seen;
  std::int64_t least = 1LL << 60, most = 0;
  for (const auto& shard : shards) {
    std::int64_t load = 0;
    for (const CohortCase* one : shard) {
      EXPECT_TRUE(seen.insert(one).second);
      load += sizes[static_cast<std::size_t>(one - cohort.cases.data())];
    }
    least = std::min(least, load);
    most = std::max(most, load);
  }
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_LE(most - least, 10'000'000);
  EXPECT_EQ(balance(cohort, sizes, 1000).size(), 100U);
}

TEST(Request, SettingsSurviveThePlan) {
  CohortRequest request;
  request.methods = {&methods()[0], &methods()[7]};
  set(request.settings, "weights", "1,0.5,1");
  set(request.settings, "slice_wise", "auto");
  set(request.settings, "empty_test", "False");
  set(request.settings, "prior", "500/N^1");
  set(request.settings, "threads", "3");
  set(request.settings, "surface_tolerance", "2.5");
  set(request.settings, "surfaces", "False");
  request.bids = true;
  const Json identity = identity_of(request);
  const CohortRequest back = request_from(parse_json(identity.text()));
  EXPECT_EQ(identity_of(back).text(), identity.text());
  EXPECT_EQ(back.settings.options.weights, (std::vector<double>{1, 0.5, 1}));
  EXPECT_TRUE(back.settings.widest_axis);
  EXPECT_EQ(back.settings.measures.surface_tolerance, 2.5);
  EXPECT_FALSE(back.settings.measures.surfaces);
  EXPECT_EQ(back.settings.options.threads, 0) << "how many threads there are is nobody's result";
}

TEST(Request, EverySettingSurvivesThePlan) {
  for (const Setting& setting : settings()) {
    if (setting.group == "Limits" || setting.name == "provenance") continue;
    for (const char* text : {"1", "0.5", "True", "False", "4", "2", "background", "foreground", "group",
                             "itk", "box", "auto", "x", "mean"}) {
      CohortRequest request;
      request.methods = {&methods()[0]};
      try {
        set(request.settings, setting, text);
      } catch (const UsageError&) {
        continue;
      }
      const Json identity = identity_of(request);
      EXPECT_EQ(identity_of(request_from(parse_json(identity.text()))).text(), identity.text())
          << setting.name << " " << text;
    }
  }
}

}  // namespace
}  // namespace crema::cohort
