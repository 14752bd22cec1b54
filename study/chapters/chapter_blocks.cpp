// SPDX-License-Identifier: Apache-2.0
// tab:1 and tab:3: what is decided on together, how near to the raters that leads, and how long it takes.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "crema/base/text.h"
#include "crema/counts/solve_options.h"
#include "study/chapters/section_parts.h"

namespace crema::study {
namespace {

constexpr std::size_t kKinds = 1 + std::count(kBlocksWords.begin(), kBlocksWords.end(), '|');

/// Criteria nearer to each other than this share of the smaller one are equal: the descent stops at 1e-12 of
/// itself, and sums are rounded.
constexpr double kSame = 1e-9;

std::size_t number_of(std::string_view blocks) {
  std::size_t b = 0;
  while (b < kKinds && word_at(kBlocksWords, b) != blocks) ++b;
  return b;
}

std::vector<std::string> missing_blocks(unsigned seen) {
  std::vector<std::string> missing;
  for (std::size_t b = 0; b < kKinds; ++b) {
    if (((seen >> b) & 1U) != 0) continue;
    const std::string_view kind = word_at(kBlocksWords, b);
    missing.push_back(lacking(fmt::format("blocks of the kind {}", kind),
                              cohort_command(fmt::format("RUN-{}", kind), fmt::format("--blocks {}", kind))));
  }
  return missing;
}

struct Solved {
  Mean lmsd, bound, seconds;
};

class Blocks : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    for (const Result& result : facts.results) {
      if (!result.lmsd) continue;
      Solved& solved = solved_[result.variant];
      solved.lmsd.add(*result.lmsd);
      solved.bound.add(result.bound);
      if (result.seconds) solved.seconds.add(result.seconds->solving);
      seen_ |= 1U << number_of(variants[result.variant].blocks);
    }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:1",
        "Criterion and time by blocks",
        "Mean LMSD in the method's own distance, mean lower bound of it where one was proven, and mean "
        "seconds for solving.",
        {variant_columns({"cases", "lmsd", "bound", "bound_cases", "solve_s", "solve_s_cases"}), {}},
        missing_blocks(seen_)};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Solved* solved = solved_.find(v);
      if (solved == nullptr || solved->lmsd.count() == 0) continue;
      Row row = variant_cells(variants[v]);
      add(row, {solved->lmsd.count(), cell(solved->lmsd.value()), cell(solved->bound.value()),
                solved->bound.count(), cell(solved->seconds.value()), solved->seconds.count()});
      built.table.rows.push_back(std::move(row));
    }
    return built;
  }

 private:
  PerVariant<Solved> solved_;
  unsigned seen_ = 0;
};

/// One kind of blocks among others on the same cases.
struct Compared {
  Mean lmsd, excess, seconds;
  std::int64_t least = 0;
  std::size_t variant = 0;
};

class PairedBlocks : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    std::map<std::string, std::map<std::size_t, const Result*>> methods;
    for (const Result& result : facts.results)
      if (result.lmsd)
        methods[key(variants[result.variant])][number_of(variants[result.variant].blocks)] = &result;
    for (const auto& [name, results] : methods) {
      unsigned kinds = 0;
      for (const auto& [block, result] : results) kinds |= 1U << block;
      all_[name] |= kinds;
      compare(results, groups_[name][kinds]);
    }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:3",
        "Blocks on the same cases",
        "Only cases that were solved with all kinds of blocks at hand. Excess: by how many percent the "
        "LMSD lies above the least of these kinds, mean over cases where that is not 0; least: the "
        "percentage of cases in which it is the least one, ties included.",
        {variant_columns(
             {"cases", "lmsd", "excess_pct", "excess_pct_cases", "least_pct", "solve_s", "solve_s_cases"}),
         {}},
        {}};
    for (const auto& [name, kinds] : all_) {
      const auto group = groups_.at(name).find(kinds);
      if ((kinds & (kinds - 1)) == 0 || group == groups_.at(name).end()) continue;
      for (const auto& [block, one] : group->second) {
        Row row = variant_cells(variants[one.variant]);
        add(row, {one.lmsd.count(), cell(one.lmsd.value()), cell(one.excess.value()), one.excess.count(),
                  100 * static_cast<double>(one.least) / static_cast<double>(one.lmsd.count()),
                  cell(one.seconds.value()), one.seconds.count()});
        built.table.rows.push_back(std::move(row));
      }
    }
    if (built.table.rows.empty())
      built.missing = {
          lacking("the same cases with other blocks", cohort_command("RUN-group", "--blocks group"))};
    return built;
  }

 private:
  using Group = std::map<std::size_t, Compared>;

  /// All that makes a variant but its blocks.
  static std::string key(const Variant& variant) {
    return fmt::format("{}|{}|{}|{}", variant.method, variant.empty_test, variant.connectivity,
                       variant.slice_wise);
  }

  static void compare(const std::map<std::size_t, const Result*>& results, Group& group) {
    double least = *results.begin()->second->lmsd;
    for (const auto& [block, result] : results) least = std::min(least, *result->lmsd);
    for (const auto& [block, result] : results) {
      Compared& one = group[block];
      one.variant = result->variant;
      one.lmsd.add(*result->lmsd);
      one.least += *result->lmsd <= least * (1 + kSame) ? 1 : 0;
      if (least > 0) one.excess.add(100 * (*result->lmsd - least) / least);
      if (result->seconds) one.seconds.add(result->seconds->solving);
    }
  }

  std::map<std::string, unsigned> all_;
  std::map<std::string, std::map<unsigned, Group>> groups_;
};

}  // namespace

std::unique_ptr<SectionBuilder> blocks_section() { return std::make_unique<Blocks>(); }
std::unique_ptr<SectionBuilder> paired_blocks_section() { return std::make_unique<PairedBlocks>(); }

}  // namespace crema::study
