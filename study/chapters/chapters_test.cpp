// SPDX-License-Identifier: Apache-2.0
// Every table by hand, from two or three made-up cases.
#include <cmath>

#include <gtest/gtest.h>

#include "crema/tables/method.h"
#include "study/background_curves.h"
#include "study/chapters/section.h"
#include "study/page.h"

namespace crema::study {
namespace {

const Cell* at(const Section& section, std::size_t row, const std::string& column) {
  for (std::size_t c = 0; c < section.table.columns.size(); ++c)
    if (section.table.columns[c] == column) return &section.table.rows.at(row).at(c);
  return nullptr;
}

double number(const Section& section, std::size_t row, const std::string& column) {
  const Cell* const found = at(section, row, column);
  if (found == nullptr) throw std::runtime_error("no column " + column);
  if (const auto* whole = std::get_if<std::int64_t>(&found->content())) return static_cast<double>(*whole);
  return std::get<double>(found->content());
}

Section study_of(std::unique_ptr<SectionBuilder> section, const std::vector<Variant>& variants,
                 const std::vector<CaseFacts>& cases) {
  for (const CaseFacts& one : cases) section->take(variants, one);
  return section->finish(variants);
}

Variant hard(std::string method, std::string blocks = "subcrown", std::string slices = "") {
  return {.method = std::move(method),
          .kind = "hard",
          .blocks = std::move(blocks),
          .empty_test = "true",
          .slice_wise = std::move(slices)};
}
Variant soft(std::string method, std::string prior = "", std::string region = "") {
  return {
      .method = std::move(method), .kind = "soft", .prior = std::move(prior), .region = std::move(region)};
}
Result sized(std::size_t variant, double voxels, double volume = 0) {
  return {.variant = variant, .voxels = voxels, .soft_volume = volume};
}
Result solved(std::size_t variant, double lmsd, double seconds, std::optional<double> bound = {}) {
  return {.variant = variant, .lmsd = lmsd, .bound = bound, .seconds = Seconds{.solving = seconds}};
}

TEST(Blocks, MeansAreOfTheCasesEachKindSolved) {
  const Section result =
      study_of(blocks_section(), {hard("jaccard"), hard("jaccard", "group")},
               {{.results = {solved(0, 0.5, 1), solved(1, 0.4, 3, 0.4)}}, {.results = {solved(0, 0.7, 2)}}});
  ASSERT_EQ(result.table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(number(result, 0, "lmsd"), 0.6);
  EXPECT_EQ(number(result, 0, "cases"), 2);
  EXPECT_EQ(number(result, 0, "bound_cases"), 0);
  EXPECT_DOUBLE_EQ(number(result, 0, "solve_s"), 1.5);
  EXPECT_DOUBLE_EQ(number(result, 1, "bound"), 0.4);
  ASSERT_EQ(result.missing.size(), 2U);
  EXPECT_NE(result.missing[0].find("crema cohort run DATA -o RUN-crown --methods paper --blocks crown"),
            std::string::npos);
}

TEST(PairedBlocks, OnlyCasesWithAllKindsCount) {
  const Section result = study_of(paired_blocks_section(), {hard("jaccard"), hard("jaccard", "group")},
                                  {{.results = {solved(0, 0.5, 1), solved(1, 0.4, 3)}},
                                   {.results = {solved(0, 0.2, 1), solved(1, 0.2, 3)}},
                                   {.results = {solved(0, 9, 2)}}});
  ASSERT_EQ(result.table.rows.size(), 2U);
  EXPECT_EQ(number(result, 0, "cases"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "lmsd"), 0.35);
  EXPECT_DOUBLE_EQ(number(result, 0, "excess_pct"), 12.5);
  EXPECT_DOUBLE_EQ(number(result, 0, "least_pct"), 50);
  EXPECT_DOUBLE_EQ(number(result, 1, "least_pct"), 100);
}

TEST(Lesions, ZeroByZeroCountsAsOneOrIsLeftOut) {
  const Section result =
      study_of(lesions_section(), {hard("jaccard"), soft("average")},
               {{.lesions = {{0, 0.5, 1, 0.6}, {0, std::nullopt, 0, std::nullopt}, {1, 0, 0, 0}}},
                {.lesions = {{0, 0.2, std::nullopt, 0.4}}}});
  ASSERT_EQ(result.table.rows.size(), 1U);
  EXPECT_EQ(number(result, 0, "cases"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "precision"), (0.5 + 1 + 0.2) / 3);
  EXPECT_DOUBLE_EQ(number(result, 0, "precision_left_out"), 0.35);
  EXPECT_EQ(number(result, 0, "precision_left_out_lesions"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "recall"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(number(result, 0, "f1_left_out"), 0.5);
}

TEST(Detection, MeansAreOverRatersThenOverCases) {
  const Section result = study_of(
      detection_section(), {hard("jaccard")},
      {{.raters = {{0, "a", 1, 1, 0.5, 0.6}, {0, "b", 1, std::nullopt, 0.7, 0}, {0, "c", 1, 0.5, 0.9, 1}}},
       {.raters = {{0, "a", 1, 0.25, 1, 0.4}}},
       {.raters = {{0, "a", 1, std::nullopt, std::nullopt, std::nullopt}}}});
  ASSERT_EQ(result.table.rows.size(), 1U);
  EXPECT_DOUBLE_EQ(number(result, 0, "precision"), (2.5 / 3 + 0.25 + 1) / 3);
  EXPECT_DOUBLE_EQ(number(result, 0, "precision_left_out"), (0.75 + 0.25) / 2);
  EXPECT_EQ(number(result, 0, "precision_left_out_cases"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "recall_left_out"), (0.7 + 1) / 2);
}

TEST(HardSizes, AreToldAgainstTheMajorityVote) {
  const Section result =
      study_of(hard_sizes_section(), {hard("jaccard"), hard("majority", "")},
               {{.results = {sized(0, 110), sized(1, 100)}}, {.results = {sized(0, 45), sized(1, 50)}}});
  ASSERT_EQ(result.table.rows.size(), 1U);
  EXPECT_DOUBLE_EQ(number(result, 0, "mean_pct"), 0);
  EXPECT_DOUBLE_EQ(number(result, 0, "pooled_pct"), 100 * 5.0 / 150);
  EXPECT_DOUBLE_EQ(number(result, 0, "larger_pct"), 50);
}

TEST(SoftSizes, ComeAsVolumesAndThresholded) {
  const Section result = study_of(soft_sizes_section(), {soft("staple"), soft("average")},
                                  {{.results = {sized(0, 30, 22), sized(1, 20, 20)}}});
  ASSERT_EQ(result.table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(number(result, 0, "mean_pct"), 10);
  EXPECT_DOUBLE_EQ(number(result, 1, "mean_pct"), 50);
  ASSERT_EQ(result.missing.size(), 1U);
  EXPECT_NE(result.missing[0].find("--no-empty-test"), std::string::npos);
}

TEST(Slices, AreComparedWith3dOnTheSameCases) {
  const Section result = study_of(
      slices_section(), {hard("dice"), hard("dice", "subcrown", "z"), hard("majority", "")},
      {{.results = {sized(0, 12), sized(1, 11), sized(2, 10)}}, {.results = {sized(0, 8), sized(1, 9)}}});
  ASSERT_EQ(result.table.rows.size(), 1U);
  EXPECT_EQ(number(result, 0, "cases"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "mean_pct_3d"), 20);
  EXPECT_DOUBLE_EQ(number(result, 0, "mean_pct_slices"), 10);
  EXPECT_EQ(number(result, 0, "mean_pct_slices_cases"), 1);
  EXPECT_DOUBLE_EQ(number(result, 0, "larger_3d_pct"), 50);
  EXPECT_DOUBLE_EQ(number(result, 0, "smaller_3d_pct"), 50);
}

TEST(Regions, ArePairedByPrior) {
  const std::vector<Variant> variants{soft("staple", "mean", "full"), soft("staple", "mean", "box"),
                                      soft("staple", "0.5", "box")};
  Result full = sized(0, 40, 42), box = sized(1, 30, 33), other = sized(2, 1, 1);
  full.entropy = 2;
  box.entropy = 5;
  const Section result =
      study_of(regions_section(), variants, {{.results = {full, box, other}}, {.results = {box, other}}});
  ASSERT_EQ(result.table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(number(result, 0, "entropy"), 2);
  EXPECT_DOUBLE_EQ(number(result, 1, "soft_volume"), 33);
  EXPECT_EQ(number(result, 1, "cases"), 1);
}

TEST(MethodSections, SumUpTimesEntropyAndShape) {
  Result first = sized(0, 1), second = sized(0, 1);
  first.seconds = Seconds{1, 2, 3, 4};
  second.seconds = Seconds{0.5, 0, 0, 0};
  first.entropy = 1;
  second.entropy = 4;
  first.kept = 2;
  first.parts = 3;
  first.isolated = 1;
  const std::vector<CaseFacts> cases{{.results = {first}}, {.results = {second}}};
  const Section times = study_of(times_section(), {soft("average")}, cases);
  EXPECT_DOUBLE_EQ(number(times, 0, "read_s"), 1.5);
  EXPECT_DOUBLE_EQ(number(times, 0, "all_s"), 10.5);
  const Section entropy = study_of(entropy_section(), {soft("average")}, cases);
  EXPECT_DOUBLE_EQ(number(entropy, 0, "entropy"), 2.5);
  EXPECT_DOUBLE_EQ(number(entropy, 0, "entropy_sd"), std::sqrt(4.5));
  const Section shape = study_of(shape_section(), {soft("average")}, cases);
  EXPECT_EQ(number(shape, 0, "cases"), 1);
  EXPECT_DOUBLE_EQ(number(shape, 0, "parts_per_kept"), 1.5);
}

/// Two raters beside two methods.
CaseFacts drawn_twice(double a, double b) {
  return {.raters = {{0, "a", a}, {0, "b", b}, {1, "a", a}, {1, "b", b}}};
}

TEST(Correlations, WithoutDeclaredIdentityAreOneWay) {
  const Section result = study_of(icc_section(Identity::unknown), {hard("jaccard"), hard("dice")},
                                  {drawn_twice(1, 1), drawn_twice(5, 5)});
  ASSERT_EQ(result.table.rows.size(), 4U);  // of one and of the mean, of volumes and their logarithms
  EXPECT_EQ(*at(result, 0, "form"), Cell("ICC(1,1)"));
  EXPECT_EQ(number(result, 0, "raters"), 2);
  EXPECT_EQ(number(result, 0, "cases"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "icc"), 1);
  EXPECT_NE(result.missing.front().find("--raters-persist"), std::string::npos);
}

TEST(Correlations, WithDeclaredIdentityNeedCasesThatAllRatersDrew) {
  CaseFacts lacking_one{.raters = {{0, "a", 7}}};
  const Section result = study_of(icc_section(Identity::persists), {hard("jaccard"), hard("dice")},
                                  {drawn_twice(1, 2), drawn_twice(5, 5), drawn_twice(2, 4), lacking_one});
  ASSERT_EQ(result.table.rows.size(), 12U);
  EXPECT_EQ(number(result, 0, "cases"), 4);
  EXPECT_EQ(*at(result, 2, "form"), Cell("ICC(A,1)"));
  EXPECT_EQ(number(result, 2, "cases"), 3);
}

TEST(PairedMethods, AreComparedOnTheSameCases) {
  const auto beside = [](double first, double second) {
    CaseFacts facts{.results = {sized(0, first), sized(1, second)}, .raters = {{0, "a", 1}, {1, "a", 1}}};
    facts.raters[0].measures[kDice] = first / 100;
    facts.raters[1].measures[kDice] = second / 100;
    return facts;
  };
  const Section result = study_of(paired_methods_section(), {hard("jaccard"), hard("dice")},
                                  {beside(90, 80), beside(70, 50), beside(60, 60)});
  ASSERT_EQ(result.table.rows.size(), 2U);
  EXPECT_NEAR(number(result, 0, "difference"), 0.1, 1e-12);
  EXPECT_EQ(number(result, 0, "cases"), 3);
  EXPECT_EQ(number(result, 0, "differ"), 2);
  EXPECT_DOUBLE_EQ(number(result, 0, "p"), 0.5);
  EXPECT_DOUBLE_EQ(number(result, 1, "difference"), 10);
}

TEST(SectionBuilders, WithoutCasesSayWhatWouldMakeThem) {
  for (const auto& section : all_sections(Identity::unknown)) {
    const Section result = section->finish({});
    EXPECT_TRUE(result.table.rows.empty()) << result.label;
    ASSERT_FALSE(result.missing.empty()) << result.label;
    EXPECT_NE(result.missing.front().find("`crema "), std::string::npos) << result.label;
  }
}

TEST(BackgroundCurves, AreMeansAndSpreadOverCases) {
  const std::vector<std::string> names{"staple"};
  BackgroundCurves curves;
  for (const double volume : {10.0, 30.0}) {
    BackgroundStudy study{.union_voxels = 100, .drawn_by_least = {100, 30}};
    study.sizes = {{ImageSize::Kind::box, 0, 200, 100}, {ImageSize::Kind::image, 0, 1000, 900}};
    study.curves = {{.method = find_methods(names).front(),
                     .alpha = 1,
                     .at = {{.voxels = 20, .soft_volume = 10}, {.voxels = 40, .soft_volume = volume}}}};
    curves.take("a", study);
  }
  const Section sizes = curves.sizes(), priors = curves.priors();
  ASSERT_EQ(sizes.table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(number(sizes, 1, "soft_volume"), 20);
  EXPECT_DOUBLE_EQ(number(sizes, 1, "against_box_pct"), 100);
  EXPECT_DOUBLE_EQ(number(sizes, 1, "soft_volume_sd"), std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(number(sizes, 1, "of_union_pct"), 40);
  EXPECT_DOUBLE_EQ(number(sizes, 1, "is_union_pct"), 0);
  EXPECT_DOUBLE_EQ(number(priors, 1, "of_union_pct"), 40);
  const Section cases = curves.cases();
  ASSERT_EQ(cases.table.rows.size(), 4U);
  EXPECT_EQ(number(cases, 3, "image_voxels"), 1000);
  EXPECT_EQ(number(cases, 3, "drawn_by_two"), 30);
  EXPECT_EQ(number(cases, 3, "drawn_by_three"), 0);
  EXPECT_DOUBLE_EQ(number(cases, 3, "soft_volume"), 30);
  EXPECT_EQ(page("", {cases}), "");
}

TEST(BackgroundCurves, HaveTheSameCasesForTheBoxAndTheImageWhereABoxFillsItsImage) {
  const std::vector<std::string> names{"jaccard"};
  BackgroundCurves curves;
  for (const bool boxed : {false, true}) {
    BackgroundStudy study{.union_voxels = 100, .sizes = {{ImageSize::Kind::image, 0, 1000, 900}}};
    if (boxed) study.sizes.insert(study.sizes.begin(), {ImageSize::Kind::box, 0, 200, 100});
    study.image = boxed ? 1 : 0;
    const Extent extent{.voxels = boxed ? 20 : 60, .soft_volume = boxed ? 20.0 : 60.0};
    study.curves = {{.method = find_methods(names).front(), .at = {study.sizes.size(), extent}}};
    curves.take("a", study);
  }
  const Section sizes = curves.sizes();
  ASSERT_EQ(sizes.table.rows.size(), 2U);
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(number(sizes, row, "cases"), 2);
    EXPECT_DOUBLE_EQ(number(sizes, row, "soft_volume"), 40);
    EXPECT_DOUBLE_EQ(number(sizes, row, "against_box_pct"), 0);
  }
}

TEST(Page, ANumberIsFollowedByItsCasesAndColumnsThatTellNothingAreLeftOut) {
  const Table table{{"method", "blocks", "prior", "cases", "lmsd", "bound", "bound_cases"},
                    {{"a|b", "crown", "", std::int64_t{7}, 0.123456, Undefined::no_parts, std::int64_t{0}},
                     {"c", "group", "", std::int64_t{6}, 2.0, 0.5, std::int64_t{3}}}};
  EXPECT_EQ(markdown(table),
            "| method | blocks | lmsd | bound |\n|---|---|---|---|\n"
            "| a\\|b | crown | 0.1235 (7) | – (0) |\n| c | group | 2 (6) | 0.5 (3) |\n");
}

}  // namespace
}  // namespace crema::study
