// SPDX-License-Identifier: Apache-2.0
// tab:7, tab:8, tab:9 and the shape of results: what each variant comes to by itself.
#include <map>

#include <fmt/format.h>

#include "crema/counts/discrepancy.h"
#include "study/chapters/section_parts.h"

namespace crema::study {
namespace {

class Times : public SectionBuilder {
 public:
  void take(const std::vector<Variant>&, const CaseFacts& facts) override {
    for (const Result& result : facts.results) {
      if (!result.seconds) continue;
      Spent& spent = spent_[result.variant];
      spent.reading.add(result.seconds->reading);
      spent.counting.add(result.seconds->counting);
      spent.solving.add(result.seconds->solving);
      spent.writing.add(result.seconds->writing);
    }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:7",
        "Times",
        "Seconds for all cases together, each on one thread. The masks of a case are read and counted "
        "once for all methods of a run; each method would need that time if it came alone.",
        {variant_columns({"cases", "read_s", "count_s", "solve_s", "write_s", "all_s"}), {}},
        {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Spent* spent = spent_.find(v);
      if (spent == nullptr || spent->reading.count() == 0) continue;
      const double reading = spent->reading.sum(), counting = spent->counting.sum(),
                   solving = spent->solving.sum(), writing = spent->writing.sum();
      Row row = variant_cells(variants[v]);
      add(row, {spent->reading.count(), reading, counting, solving, writing,
                reading + counting + solving + writing});
      built.table.rows.push_back(std::move(row));
    }
    if (built.table.rows.empty())
      built.missing = {"times.csv of the runs is empty; `crema cohort merge RUN` makes it again."};
    return built;
  }

 private:
  struct Spent {
    Mean reading, counting, solving, writing;
  };
  PerVariant<Spent> spent_;
};

class Entropy : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    for (const Result& result : facts.results)
      if (variants[result.variant].kind == "soft") entropy_[result.variant].add(result.entropy);
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:8",
        "Entropy of soft consensuses",
        "Shannon entropy in nats, summed over the voxels of a case: mean and standard deviation over "
        "cases.",
        {variant_columns({"cases", "entropy", "entropy_sd"}), {}},
        {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Mean* mean = entropy_.find(v);
      if (mean == nullptr || mean->count() == 0) continue;
      Row row = variant_cells(variants[v]);
      add(row, {mean->count(), cell(mean->value()), cell(mean->deviation())});
      built.table.rows.push_back(std::move(row));
    }
    if (built.table.rows.empty()) built.missing = {lacking("a soft method", cohort_command("RUN", ""))};
    return built;
  }

 private:
  PerVariant<Mean> entropy_;
};

class Regions : public SectionBuilder {
 public:
  void take(const std::vector<Variant>& variants, const CaseFacts& facts) override {
    for (const Result& full : facts.results)
      for (const Result& focused : facts.results) {
        const Variant &a = variants[full.variant], &b = variants[focused.variant];
        if (a.region != "full" || b.region.empty() || b.region == "full" || a.method != b.method ||
            a.prior != b.prior)
          continue;
        auto& [whole, tight] = pairs_[{full.variant, focused.variant}];
        whole.add(full);
        tight.add(focused);
      }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{
        "tab:9",
        "STAPLE on the full image and on a smaller region",
        "On the same cases, for each prior: mean entropy, mean soft volume and mean number of voxels "
        "above 0.5.",
        {variant_columns({"cases", "entropy", "soft_volume", "voxels"}), {}},
        {}};
    for (const auto& [pair, both] : pairs_)
      for (const bool full : {true, false}) {
        const Sums& sums = full ? both.first : both.second;
        Row row = variant_cells(variants[full ? pair.first : pair.second]);
        add(row, {sums.entropy.count(), cell(sums.entropy.value()), cell(sums.soft.value()),
                  cell(sums.voxels.value())});
        built.table.rows.push_back(std::move(row));
      }
    if (built.table.rows.empty())
      built.missing = {
          fmt::format("{} A study needs both, {} and the same with another prior for other rows.",
                      lacking("STAPLE on the full image and on a box with the same prior",
                              cohort_command("RUN-box", "--roi box")),
                      cohort_command("RUN", ""))};
    return built;
  }

 private:
  struct Sums {
    Mean entropy, soft, voxels;
    void add(const Result& result) {
      entropy.add(result.entropy);
      soft.add(result.soft_volume);
      voxels.add(result.voxels);
    }
  };
  std::map<std::pair<std::size_t, std::size_t>, std::pair<Sums, Sums>> pairs_;
};

class Shape : public SectionBuilder {
 public:
  void take(const std::vector<Variant>&, const CaseFacts& facts) override {
    for (const Result& result : facts.results) {
      if (!result.parts || !result.isolated) continue;
      Counted& counted = counted_[result.variant];
      ++counted.cases;
      counted.kept += result.kept;
      counted.parts += *result.parts;
      counted.isolated += *result.isolated;
    }
  }

  [[nodiscard]] Section finish(const std::vector<Variant>& variants) const override {
    Section built{"shape",
                  "Shape of results",
                  "Components of the union that are kept, and into how many connected parts their consensus "
                  "falls, of which so many are single voxels; sums over cases, soft results above 0.5.",
                  {variant_columns({"cases", "kept", "parts", "isolated", "parts_per_kept"}), {}},
                  {}};
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Counted* counted = counted_.find(v);
      if (counted == nullptr || counted->cases == 0) continue;
      const auto whole = [](double sum) { return static_cast<std::int64_t>(sum); };
      Row row = variant_cells(variants[v]);
      add(row, {counted->cases, whole(counted->kept), whole(counted->parts), whole(counted->isolated),
                counted->kept > 0 ? Cell(counted->parts / counted->kept) : Cell(Undefined::no_parts)});
      built.table.rows.push_back(std::move(row));
    }
    if (built.table.rows.empty()) built.missing = {lacking("numbers of parts", cohort_command("RUN", ""))};
    return built;
  }

 private:
  struct Counted {
    std::int64_t cases = 0;
    double kept = 0, parts = 0, isolated = 0;
  };
  PerVariant<Counted> counted_;
};

}  // namespace

std::unique_ptr<SectionBuilder> times_section() { return std::make_unique<Times>(); }
std::unique_ptr<SectionBuilder> entropy_section() { return std::make_unique<Entropy>(); }
std::unique_ptr<SectionBuilder> regions_section() { return std::make_unique<Regions>(); }
std::unique_ptr<SectionBuilder> shape_section() { return std::make_unique<Shape>(); }

}  // namespace crema::study
