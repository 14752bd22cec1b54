// SPDX-License-Identifier: Apache-2.0
// Methods against each other on the same cases, and the raters' sizes: intraclass correlations.
#include <map>
#include <utility>

#include <fmt/format.h>

#include "study/chapters/section_parts.h"
#include "study/statistics/gathered.h"

namespace crema::study {
namespace {

/// Two methods on the cases that both did.
struct Pair {
  GatheredMean differences;
  GatheredRanks ranks;
};
/// By their variants, the lower first.
using Pairs = std::map<std::pair<std::size_t, std::size_t>, Pair>;

/// The values of one case.
void add_pairs(const std::map<std::size_t, double>& values, Pairs& pairs) {
  for (auto a = values.begin(); a != values.end(); ++a)
    for (auto b = std::next(a); b != values.end(); ++b) {
      Pair& pair = pairs[{a->first, b->first}];
      pair.differences.add(a->second - b->second);
      pair.ranks.add(a->second - b->second);
    }
}

struct PairedRow {
  std::size_t a = 0, b = 0;
  const GatheredMean* differences = nullptr;
  std::optional<SignedRank> test;
};

std::vector<PairedRow> rows_of(const Pairs& pairs) {
  std::vector<PairedRow> rows;
  for (const auto& [variants, pair] : pairs)
    rows.push_back({variants.first, variants.second, &pair.differences, pair.ranks.test()});
  return rows;
}

/// Where no case differs there is nothing to test; such pairs count in the correction all the same.
std::vector<double> corrected(const std::vector<PairedRow>& rows) {
  std::vector<double> chances;
  for (const PairedRow& row : rows) chances.push_back(row.test ? row.test->p : 1);
  return holm(chances);
}

Row paired_cells(const PairedRow& row, double holm_p) {
  const Mean& mean = row.differences->mean();
  const std::optional<Interval> interval = row.differences->interval();
  return {mean.count(),
          cell(mean.value()),
          interval ? Cell(interval->low) : cell({}),
          interval ? Cell(interval->high) : cell({}),
          row.test ? row.test->pairs : std::int64_t{0},
          row.test ? Cell(row.test->statistic) : cell({}),
          row.test ? Cell(row.test->p) : cell({}),
          row.test ? Cell(holm_p) : cell({})};
}

class Paired : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    std::map<std::size_t, Mean> dice;
    for (const RaterResult& rater : facts.raters) dice[rater.variant].add(rater.measures[kDice]);
    std::map<std::size_t, double> overlaps, sizes;
    for (const Result& result : facts.results) {
      if (variants[result.variant].run != 0) continue;
      if (const auto mean = dice[result.variant].value()) overlaps[result.variant] = *mean;
      sizes[result.variant] = result.voxels;
    }
    add_pairs(overlaps, dice_);
    add_pairs(sizes, sizes_);
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "paired",
        "Methods against each other",
        "For each pair of methods of the first run, on the same cases: the mean of the first minus the "
        "second with its 95 % bootstrap interval, Wilcoxon's signed-rank test (exact up to 50 cases that "
        "differ) and its chance after Holm's correction over all pairs of a measure. Dice is the mean "
        "over the raters of a case; size is in voxels above 0.5.",
        {{"measure", "method_a", "method_b", "cases", "difference", "low", "high", "differ", "statistic", "p",
          "p_holm"},
         {}},
        {}};
    for (const auto& [name, pairs] : {std::pair{"Dice to raters", &dice_}, {"size", &sizes_}}) {
      const std::vector<PairedRow> rows = rows_of(*pairs);
      const std::vector<double> holm_p = corrected(rows);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        Row row{name, variants[rows[r].a].method, variants[rows[r].b].method};
        add(row, paired_cells(rows[r], holm_p[r]));
        built.table.rows.push_back(std::move(row));
      }
    }
    if (built.table.rows.empty()) built.missing = {lacking("two methods", cohort_command("RUN", ""))};
    return built;
  }

 private:
  Pairs dice_, sizes_;
};

class Correlations : public SectionBuilder {
 public:
  explicit Correlations(Identity identity) : volumes_(identity) {}

  void take(const std::vector<Variant>&, const CaseFacts& facts) override { volumes_.take(facts); }

  [[nodiscard]] Section finish(const std::vector<Variant>&) const override {
    Section built{
        "icc",
        "Agreement on volumes",
        "Intraclass correlations of the raters' volumes, and of their logarithms, with 95 % intervals: of "
        "one "
        "rater (1) and of the mean of all (k). One-way, ICC(1,·), where raters have no identity; absolute "
        "agreement, ICC(A,·), and consistency, ICC(C,·), over cases that all raters drew.",
        {{"form", "scale", "raters", "cases", "icc", "low", "high"}, {}},
        {}};
    for (const NamedIcc& one : volumes_.iccs())
      built.table.rows.push_back({to_string(one.form, one.unit), to_string(one.scale), one.icc.raters,
                                  one.icc.cases, one.icc.value, cell(one.icc.low), cell(one.icc.high)});
    if (built.table.rows.empty())
      built.missing.emplace_back(
          "Fewer than two cases have been drawn by two or more raters, or all volumes are equal; "
          "`crema cohort list DATA` shows who has which case.");
    else if (volumes_.identity() == Identity::unknown)
      built.missing.emplace_back(
          "ICC(A,·) and ICC(C,·) need raters who are the same persons in all cases; declare it with "
          "`crema study RUN -o TABLES --raters-persist`.");
    return built;
  }

 private:
  Volumes volumes_;
};

}  // namespace

std::unique_ptr<SectionBuilder> paired_methods_section() { return std::make_unique<Paired>(); }
std::unique_ptr<SectionBuilder> icc_section(Identity identity) {
  return std::make_unique<Correlations>(identity);
}

}  // namespace crema::study
