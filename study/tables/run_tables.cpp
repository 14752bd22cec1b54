// SPDX-License-Identifier: Apache-2.0
#include "study/tables/run_tables.h"

#include <algorithm>

#include <fmt/format.h>

namespace crema::study {

RunTables::RunTables(const OpenRun& run)
    : run_(run),
      cases_(run.folder.path / "cases.csv", run.label),
      methods_(run.folder.path / "methods.csv", run.label),
      raters_(run.folder.path / "raters.csv", run.label),
      lesions_(run.folder.path / "component_raters.csv", run.label),
      times_(run.folder.path / "times.csv"),
      case_name_(cases_.column("case")),
      missing_(cases_.column("missing_raters")),
      agreement_(cases_.column("positive_agreement")),
      kappa_(cases_.column("fleiss_kappa")),
      components_(cases_.column("components")) {}

bool RunTables::next_case() { return cases_.next(); }

Variant RunTables::variant_of_row() const {
  const auto text = [&](std::string_view column) { return methods_.text(methods_.column(column)); };
  Variant built{.method = text("method"),
                .paper_name = text("paper_name"),
                .kind = text("kind"),
                .blocks = text("blocks"),
                .empty_test = text("empty_test"),
                .connectivity = text("connectivity"),
                .slice_wise = text("slice_wise"),
                .prior = text("prior").empty() ? "" : run_.prior,
                .region = text("region"),
                .run = run_.number};
  if (!built.region.empty() && built.region != "full" && run_.margin > 0)
    built.region += fmt::format(" + {}", run_.margin);
  // Other votes see voxels one by one: options about neighbours do not concern them.
  if (built.blocks.empty() && built.method != "local-majority") built.connectivity = built.slice_wise = "";
  return built;
}

void RunTables::read_method(CaseFacts& facts, std::vector<Variant>& variants) {
  Variant built = variant_of_row();
  auto place = std::find(variants.begin(), variants.end(), built);
  const auto number = static_cast<std::size_t>(place - variants.begin());
  if (std::any_of(facts.results.begin(), facts.results.end(),
                  [&](const Result& known) { return known.variant == number; }))
    return;
  variants_[built.method] = number;
  const auto value = [&](std::string_view column) { return methods_.value(methods_.column(column)); };
  const auto maybe = [&](std::string_view column) { return methods_.number(methods_.column(column)); };
  Result result{.variant = number,
                .kept = value("kept"),
                .voxels = value("voxels"),
                .soft_volume = value("soft_volume"),
                .entropy = value("entropy"),
                .bound = maybe("lower_bound"),
                .parts = maybe("parts"),
                .isolated = maybe("isolated")};
  if (!built.blocks.empty()) result.lmsd = value("lmsd_" + methods_.text(methods_.column("distance")));
  facts.results.push_back(result);
  if (place == variants.end()) variants.push_back(std::move(built));
}

std::optional<std::size_t> RunTables::variant(const std::string& method) const {
  const auto found = variants_.find(method);
  if (found == variants_.end()) return std::nullopt;
  return found->second;
}

void RunTables::read_times(CaseFacts& facts) {
  const std::size_t method = times_.column("method"), read = times_.column("read_s"),
                    count = times_.column("count_s"), solve = times_.column("solve_s"),
                    write = times_.column("write_s");
  if (!run_.label.empty()) times_.skip_before(facts.name);  // cases that do not have the label
  while (times_.next_of(facts.name)) {
    const auto known = variant(times_.text(method));
    if (!known) continue;
    for (Result& result : facts.results)
      if (result.variant == *known)
        result.seconds = {times_.value(read), times_.value(count), times_.value(solve),
                          times_.number(write).value_or(0)};
  }
}

void RunTables::read_raters(CaseFacts& facts) {
  const std::size_t method = raters_.column("method"), rater = raters_.column("rater"),
                    volume = raters_.column("volume_mm3"), area = raters_.column("area_mm2"),
                    voxels = raters_.column("voxels"), precision = raters_.column("det_precision"),
                    recall = raters_.column("det_recall"), f1 = raters_.column("det_f1");
  // Where no file states the size of a voxel there is only their number.
  const auto size = [&]() -> std::pair<double, std::string_view> {
    if (const auto cubic = raters_.number(volume)) return {*cubic, "mm³"};
    if (const auto square = raters_.number(area)) return {*square, "mm²"};
    return {raters_.value(voxels), "voxels"};
  };
  while (raters_.next_of(facts.name))
    if (const auto known = variant(raters_.text(method))) {
      const auto [drawn, unit] = size();
      facts.raters.push_back({*known, raters_.text(rater), drawn, raters_.number(precision),
                              raters_.number(recall), raters_.number(f1), measures_of_rater(), unit});
    }
}

RaterMeasures RunTables::measures_of_rater() const {
  RaterMeasures found;
  bool sized = false;
  for (std::size_t m = 0; m < found.size(); ++m) {
    const std::string_view column = kRaterMeasures[m].column;
    if (!column.empty()) found[m] = raters_.number(raters_.column(column));
    sized |= found[m].has_value() && column.find("_difference_") != std::string_view::npos;
  }
  if (!sized)
    found.back() =
        raters_.value(raters_.column("voxels")) - raters_.value(raters_.column("consensus_voxels"));
  return found;
}

void RunTables::read_lesions(CaseFacts& facts) {
  const std::size_t method = lesions_.column("method"), precision = lesions_.column("precision"),
                    recall = lesions_.column("recall"), f1 = lesions_.column("f1");
  while (lesions_.next_of(facts.name))
    if (const auto known = variant(lesions_.text(method)))
      facts.lesions.push_back(
          {*known, lesions_.number(precision), lesions_.number(recall), lesions_.number(f1)});
}

bool RunTables::read_case(CaseFacts& facts, std::vector<Variant>& variants) {
  variants_.clear();
  bool done = false;
  for (; methods_.next_of(facts.name); done = true) read_method(facts, variants);
  read_times(facts);
  read_raters(facts);
  read_lesions(facts);
  return done;
}

void RunTables::check_end() const {
  for (const TableStream* table : {&methods_, &raters_, &lesions_}) table->check_end();
  if (run_.label.empty()) times_.check_end();
}

}  // namespace crema::study
