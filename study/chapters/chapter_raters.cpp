// SPDX-License-Identifier: Apache-2.0
// tab:4_0 and tab:4: raters against a consensus.
#include <array>

#include <fmt/format.h>

#include "study/chapters/section_parts.h"

namespace crema::study {
namespace {

/// Both conventions for 0/0.
struct Both {
  Mean counted, left_out;

  void add(const std::optional<double>& value) {
    counted.add(value.value_or(1));
    left_out.add(value);
  }
};

/// Precision, recall and F1.
using Three = std::array<Both, 3>;

template <class Scores>
void add_all(Three& to, const Scores& scores) {
  to[0].add(scores.precision);
  to[1].add(scores.recall);
  to[2].add(scores.f1);
}

std::vector<std::string> three_columns(const std::string& counted) {
  std::vector<std::string> columns;
  for (const char* name : {"precision", "recall", "f1"})
    for (const char* kind : {"", "_left_out"}) {
      columns.push_back(fmt::format("{}{}", name, kind));
      columns.push_back(fmt::format("{}{}{}", name, kind, counted));
    }
  return columns;
}

Row three_cells(const Three& three) {
  Row row;
  for (const Both& both : three)
    add(row, {cell(both.counted.value()), both.counted.count(), cell(both.left_out.value()),
              both.left_out.count()});
  return row;
}

std::string hard_needed() { return lacking("a hard method", cohort_command("RUN", "")); }

class Lesions : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    std::vector<bool> met(variants.size());
    for (const LesionResult& lesion : facts.lesions) {
      if (variants[lesion.variant].kind != "hard") continue;
      Scores& scores = scores_[lesion.variant];
      add_all(scores.three, lesion);
      scores.cases += met[lesion.variant] ? 0 : 1;
      met[lesion.variant] = true;
    }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    std::vector<std::string> columns = three_columns("_lesions");
    columns.insert(columns.begin(), "cases");
    Section result{
        "tab:4_0",
        "Raters lesion by lesion",
        "Precision, recall and F1 of each rater against a hard consensus as truth, inside each component "
        "of the union; means over all components of all cases and their raters, with the number of "
        "these pairs behind them. 0/0 counts as 1, or is left out.",
        {variant_columns(columns), {}},
        {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Scores* scores = scores_.find(v);
      if (scores == nullptr || scores->cases == 0) continue;
      Row row = variant_cells(variants[v]);
      row.emplace_back(scores->cases);
      add(row, three_cells(scores->three));
      result.table.rows.push_back(std::move(row));
    }
    if (result.table.rows.empty()) result.missing = {hard_needed()};
    return result;
  }

 private:
  struct Scores {
    Three three;
    std::int64_t cases = 0;
  };
  PerVariant<Scores> scores_;
};

class Detection : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    std::vector<Three> means(variants.size());
    for (const RaterResult& rater : facts.raters)
      if (variants[rater.variant].kind == "hard") add_all(means[rater.variant], rater);
    for (std::size_t v = 0; v < means.size(); ++v)
      for (std::size_t m = 0; m < 3; ++m) {
        if (means[v][m].counted.count() == 0) continue;
        three_[v][m].counted.add(means[v][m].counted.value());
        three_[v][m].left_out.add(means[v][m].left_out.value());
      }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section result{
        "tab:4",
        "Detection",
        "By connected parts: recall is the share of the parts of the consensus that meet the rater, "
        "precision the share of the rater's parts that meet the consensus. Means over raters, then over "
        "cases. 0/0 counts as 1, or is left out.",
        {variant_columns(three_columns("_cases")), {}},
        {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Three* three = three_.find(v);
      if (three == nullptr || three->front().counted.count() == 0) continue;
      Row row = variant_cells(variants[v]);
      add(row, three_cells(*three));
      result.table.rows.push_back(std::move(row));
    }
    if (result.table.rows.empty()) result.missing = {hard_needed()};
    return result;
  }

 private:
  PerVariant<Three> three_;
};

}  // namespace

std::unique_ptr<SectionBuilder> lesions_section() { return std::make_unique<Lesions>(); }
std::unique_ptr<SectionBuilder> detection_section() { return std::make_unique<Detection>(); }

}  // namespace crema::study
