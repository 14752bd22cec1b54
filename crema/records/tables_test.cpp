// SPDX-License-Identifier: Apache-2.0
#include "crema/records/tables.h"

#include <bit>

#include <gtest/gtest.h>

#include "crema/agreement/maps.h"
#include "crema/base/error.h"
#include "crema/records/tables_methods.h"
#include "crema/records/units.h"
#include "test/agreement_testing.h"

namespace crema {
namespace {

using agreement_testing::make;

CaseNames names_for(int raters) {
  CaseNames names{"case", {}};
  for (int k = 0; k < raters; ++k) names.raters.push_back("rater " + std::to_string(k));
  return names;
}

AgreementStudy study_of(const agreement_testing::Fused& fused, const MeasureOptions& requested = {}) {
  const Solution& solution = fused.consensus.solution;
  std::vector<Evaluated> evaluated{
      {std::string(solution.method->name), solution.method, solution, fused.options}};
  return study_agreement(fused.consensus.reduction, std::move(evaluated), requested);
}

TEST(Table, IsWrittenAsRfc4180) {
  const Table table{{"a", "b,c"},
                    {{"x\"y", std::int64_t{3}}, {0.1, true}, {Undefined::both_empty, "line\nfeed"}}};
  EXPECT_EQ(csv_text(table), "a,\"b,c\"\r\n\"x\"\"y\",3\r\n0.1,true\r\n,\"line\nfeed\"\r\n");
}

TEST(Table, HasNoTextThatASpreadsheetWouldRun) {
  const Table table{{"a"}, {{"=1+1"}, {"+x"}, {"-x"}, {"@x"}, {"\tx"}, {"a=b"}, {-0.5}, {std::int64_t{-3}}}};
  EXPECT_EQ(csv_text(table), "a\r\n'=1+1\r\n'+x\r\n'-x\r\n'@x\r\n'\tx\r\na=b\r\n-0.5\r\n-3\r\n");
}

TEST(Table, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(valid_utf8("é…𝄞"), "é…𝄞");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(valid_utf8("\xE2\x82"), "\uFFFD\uFFFD");            // cut short
}

TEST(Table, StacksTablesOfSeveralCases) {
  const Table one{{"a"}, {{std::int64_t{1}}}}, two{{"a"}, {{std::int64_t{2}}}};
  const Table both = stack({one, two});
  EXPECT_EQ(both.columns, one.columns);
  ASSERT_EQ(both.rows.size(), 2U);
  EXPECT_EQ(both.rows[1], two.rows[0]);
}

TEST(Tables, EveryRowHasAsManyCellsAsThereAreColumns) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const std::string_view method : {"jaccard", "tanimoto", "staple", "majority"}) {
      const auto fused = make(seed, method);
      const Reduction& reduction = fused.consensus.reduction;
      const auto study = study_of(fused, {.replicates = 2, .flips = true});
      const CaseNames names = names_for(reduction.raters);
      const auto pairs = static_cast<std::size_t>(reduction.raters * (reduction.raters - 1) / 2);
      EXPECT_EQ(rater_pairs_table(names, study).rows.size(), pairs);
      EXPECT_EQ(components_table(names, reduction, study).rows.size(), reduction.crowns.size());
      EXPECT_EQ(component_raters_table(names, reduction, study).rows.size(),
                reduction.crowns.size() * names.raters.size());
      for (const Table& table :
           {rater_pairs_table(names, study), raters_table(names, study),
            components_table(names, reduction, study), component_raters_table(names, reduction, study),
            rows_table(names, reduction, study.consensuses)})
        for (const auto& row : table.rows) ASSERT_EQ(row.size(), table.columns.size()) << "seed " << seed;
    }
}

TEST(Tables, HaveALabelBehindTheCaseWhereThereAreSeveralStructures) {
  const auto fused = make(3, "jaccard");
  const Reduction& reduction = fused.consensus.reduction;
  const auto study = study_of(fused);
  CaseNames names = names_for(reduction.raters);
  const Table masks = raters_table(names, study);
  names.label = "liver";
  const Table labels = raters_table(names, study);
  EXPECT_EQ(masks.columns[1], "method");
  EXPECT_EQ(labels.columns[1], "label");
  ASSERT_EQ(labels.columns.size(), masks.columns.size() + 1);
  EXPECT_EQ(labels.rows.front()[1], Cell("liver"));
  EXPECT_EQ(labels.rows.front()[2], masks.rows.front()[1]);
}

TEST(Tables, HaveNoMillimetresWhereTheGridHasNone) {
  auto fused = agreement_testing::make_of_several(3, "jaccard");
  fused.consensus.reduction.grid.measured = false;
  const Reduction& reduction = fused.consensus.reduction;
  const auto study = study_of(fused, {.review = 0});
  const CaseNames names = names_for(reduction.raters);
  for (const Table& table : {rater_pairs_table(names, study), raters_table(names, study),
                             review_table(names, reduction, study.consensuses.front())})
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::string& name = table.columns[c];
      if (!name.ends_with("_mm") && !name.ends_with("_mm2") && !name.ends_with("_mm3")) continue;
      for (const auto& row : table.rows)
        EXPECT_TRUE(std::holds_alternative<Undefined>(row[c].content())) << name;
    }
  const auto columns = rater_pair_columns(names);
  const PairRow first{names, study, 0};
  EXPECT_EQ(find_column(columns, "hd95_voxels").cell(first), cell(study.surfaces.front().hd95));
}

TEST(Tables, OfAFlatImageHaveAreasAndNoVolumes) {
  AgreementStudy study;
  study.grid = {.size = {4, 4, 1}, .spacing = {2, 3, 5}};
  study.pairs.push_back({.a = 0, .b = 1, .difference = 4});
  study.surfaces.push_back({});
  const CaseNames names = names_for(2);
  const auto columns = rater_pair_columns(names);
  EXPECT_EQ(find_column(columns, "volume_difference_mm3").cell({names, study, 0}),
            Cell(Undefined::flat_image));
  EXPECT_EQ(find_column(columns, "area_difference_mm2").cell({names, study, 0}), Cell(24.0));
}

TEST(Study, TellsWhyThereIsNoOutlier) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto fused = make(seed, "jaccard", 3);
    const auto study = study_of(fused);
    if (study.outlier.outlier) {
      EXPECT_EQ(*study.outlier_rater, *study.outlier.outlier);
    } else {
      const int raters = fused.consensus.reduction.raters;
      ASSERT_TRUE(study.outlier_rater.reason());
      const Undefined reason = *study.outlier_rater.reason();
      EXPECT_EQ(raters == 1, reason == Undefined::one_rater);
      EXPECT_EQ(raters == 2, reason == Undefined::two_raters);
    }
  }
}

TEST(Study, AsksNoMethodAboutAConsensusFromElsewhere) {
  const auto fused = make(3, "jaccard");
  const Reduction& reduction = fused.consensus.reduction;
  const auto evaluate = [&] {
    std::vector<Evaluated> evaluated;
    evaluated.push_back(
        evaluate_image(reduction, "file", fused.consensus.image, Distance::jaccard, fused.options));
    return evaluated;
  };
  const auto study = study_agreement(reduction, evaluate(), {});
  EXPECT_EQ(study.consensuses.front().evaluated.solution.voxels, fused.consensus.solution.voxels);
  EXPECT_NEAR(study.consensuses.front().evaluated.solution.lmsd, fused.consensus.solution.lmsd, 1e-12);
  EXPECT_THROW(study_agreement(reduction, evaluate(), {.replicates = 3}), UsageError);
}

TEST(CompareMethods, TellsEachMethodItsOwnLmsd) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const std::string_view method : {"jaccard", "dice", "soergel", "tanimoto", "dice1", "dice2"}) {
      const auto fused = make(seed, method);
      const Solution& solution = fused.consensus.solution;
      EXPECT_NEAR(
          lmsd_under(fused.consensus.reduction, solution, solution.method->distance, fused.options.weights),
          solution.lmsd, 1e-9)
          << method << ", seed " << seed;
    }
}

TEST(Maps, CountTheVotesOfEveryVoxel) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto fused = make(seed, "jaccard");
    const Image map = paint_map(fused.consensus.reduction, MapKind::votes);
    const auto masks = fused.random.views();
    for (std::size_t v = 0; v < std::get<SoftImage>(map).size(); ++v) {
      int votes = 0;
      for (const Mask mask : masks) votes += mask[v] != 0 ? 1 : 0;
      ASSERT_EQ(std::get<SoftImage>(map)[v], static_cast<float>(votes)) << "seed " << seed;
    }
  }
}

TEST(Units, AGridWithoutASpacingHasNoMillimetres) {
  const Grid grid{.size = {4, 4, 4}, .measured = false};
  EXPECT_EQ(cubic_millimetres(grid, 3), Measured(Undefined::no_voxel_size));
  EXPECT_EQ(square_millimetres(grid, 3), Measured(Undefined::no_voxel_size));
  EXPECT_EQ(millimetres(grid, 2), Measured(Undefined::no_voxel_size));
  EXPECT_EQ(in_voxels(grid, 2), Measured(2.0));
  EXPECT_EQ(length_unit(grid), "voxels");
  EXPECT_EQ(size_text(grid, 3), "");
}

TEST(Units, AFlatImageHasAreasWhateverItsThickness) {
  const Grid grid{.size = {4, 4, 1}, .spacing = {0.5, 2, 7}};
  EXPECT_EQ(cubic_millimetres(grid, 3), Measured(Undefined::flat_image));
  EXPECT_EQ(square_millimetres(grid, 3), Measured(3.0));
  EXPECT_EQ(size_text(grid, 3), "3.0 mm²");
}

TEST(Units, AVolumeIsInCubicMillimetres) {
  const Grid grid{.size = {4, 4, 2}, .spacing = {0.5, 2, 7}};
  EXPECT_EQ(cubic_millimetres(grid, 3), Measured(21.0));
  EXPECT_EQ(square_millimetres(grid, 3), Measured(Undefined::solid_image));
  EXPECT_EQ(in_voxels(grid, 2), Measured(Undefined::in_millimetres));
  EXPECT_EQ(size_text(grid, 3), "21.0 mm³");
}

TEST(Units, WhatIsUndefinedForAnotherReasonKeepsIt) {
  const Grid grid{.size = {4, 4, 4}, .measured = false};
  EXPECT_EQ(millimetres(grid, Undefined::both_empty), Measured(Undefined::both_empty));
  EXPECT_EQ(in_voxels(grid, Undefined::both_empty), Measured(Undefined::both_empty));
  EXPECT_TRUE(concerns_units(Undefined::flat_image));
  EXPECT_FALSE(concerns_units(Undefined::both_empty));
}

}  // namespace
}  // namespace crema
