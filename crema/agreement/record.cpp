// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/record.h"

#include <algorithm>
#include <array>
#include <bit>

#include <nlohmann/json.hpp>

namespace crema {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Grid& grid) {
  return {
      {"size", grid.size}, {"spacing", grid.spacing}, {"origin", grid.origin}, {"direction", grid.direction}};
}

Json to_json(const Agreement& agreement) {
  return {{"precision", agreement.precision}, {"recall", agreement.recall}, {"f1", agreement.f1}};
}

void add_performance(Json& rater, const Performance& performance, std::size_t k) {
  if (k < performance.sensitivity.size()) {
    rater["sensitivity"] = performance.sensitivity[k];
    rater["specificity"] = performance.specificity[k];
  }
  if (performance.score.empty()) return;
  rater["score"] = performance.score[k];
  rater["dropped"] = (performance.dropped >> k & 1) != 0;
}

/// How raters' performance was estimated, and on which voxels: the result depends on them.
void add_estimate(Json& json, const Reduction& reduction, const Solution& solution, const Options& options) {
  const Performance& found = *solution.performance;
  json["prior"] = found.prior ? Json(*found.prior) : Json(nullptr);
  json["region"] = {{"kind", to_string(options.region.kind)},
                    {"margin", options.region.margin},
                    {"voxels", region_voxels(reduction.grid, reduction.components, options.region)},
                    {"disputed_only", found.disputed_only}};
  json["sensitivity"] = found.sensitivity;
  json["specificity"] = found.specificity;
  json["iterations"] = found.iterations;
  json["converged"] = found.converged;
  json["log_likelihood"] = found.log_likelihood;
  json["background_level"] = solution.background.level;
}

Json rater_list(const Record& record, const Reduction& reduction, const Solution& solution) {
  Json list = Json::array();
  const auto raters = compare_raters(reduction, solution);
  for (std::size_t k = 0; k < raters.size(); ++k) {
    Json rater;
    if (k < record.files.size()) rater["file"] = record.files[k];
    rater["voxels"] = raters[k].voxels;
    rater["volume_mm3"] = static_cast<double>(raters[k].voxels) * reduction.grid.voxel_volume();
    rater["overlap"] = to_json(raters[k].overlap);
    rater["detection"] = to_json(raters[k].detection);
    if (solution.performance) add_performance(rater, *solution.performance, k);
    list.push_back(std::move(rater));
  }
  return list;
}

/// Raters by the number they have on the command line, from 1.
Json numbers(Raters raters) {
  Json list = Json::array();
  for (; raters != 0; raters &= raters - 1) list.push_back(std::countr_zero(raters) + 1);
  return list;
}

Json to_json(const WeightSearch& search) {
  return {{"rounds", search.rounds}, {"converged", search.converged}, {"change", search.change}};
}

std::string_view name_of(Blocks blocks) {
  constexpr std::array<std::string_view, 4> names{"subcrown", "crown", "voxel", "group"};
  return names[static_cast<std::size_t>(blocks)];
}

/// What was proved: gaps are never negative, because a bound is never above the best.
void add_certificate(Json& json, double criterion, double lower_bound, bool proven) {
  const double gap = std::max(0.0, criterion - lower_bound);
  json["lower_bound"] = lower_bound;
  json["gap"] = gap;
  json["relative_gap"] = criterion > 0 ? gap / criterion : 0;
  json["proven"] = proven;
}

Json component_table(const Reduction& reduction, const Solution& solution) {
  Json table = Json::array();
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Component& component = reduction.components.list[c];
    const Decision& decision = solution.components[c];
    Json row{{"box", {{"low", component.box.low}, {"high", component.box.high}}},
             {"raters_present", numbers(raters_present(reduction.crowns[c].tally))},
             {"union_voxels", component.voxels},
             {"consensus_voxels", decision.voxels},
             {"soft_volume", decision.soft_voxels},
             {"criterion", decision.criterion},
             {"kept", decision.soft_voxels > 0}};
    row["overlap"] = Json::array();
    for (const Agreement& rater : compare_raters(reduction.crowns[c].tally, decision))
      row["overlap"].push_back(to_json(rater));
    if (decision.certificate) {
      add_certificate(row, decision.criterion, decision.certificate->lower_bound,
                      decision.certificate->proven);
      row["nodes"] = decision.certificate->nodes;
    }
    table.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string to_json(const Record& record, const Reduction& reduction, const Solution& solution,
                    const Options& options) {
  constexpr std::string_view axes = "xyz";
  const Method& method = *solution.method;
  Json json;
  json["crema"] = version();
  json["command"] = record.command;
  json["method"] = method.name;
  json["paper_name"] = method.paper_name;
  json["kind"] = method.kind == Kind::hard ? "hard" : "soft";
  json["reference"] = method.reference;
  json["connectivity"] = reduction.neighbourhood.connectivity;
  json["slice_wise"] = options.slice_wise
                           ? Json(axes.substr(static_cast<std::size_t>(*options.slice_wise), 1))
                           : Json(nullptr);
  json["tie"] = options.tie == Tie::background ? "background" : "foreground";
  json["distance"] = to_string(method.distance);
  if (method.aim == Aim::distance) {
    json["blocks"] = name_of(options.blocks);
    json["empty_test"] = options.empty_test == EmptyTest::apply;
  }
  json["weights"] = options.weights.empty() ? Json(nullptr) : Json(options.weights);
  if (record.weight_search) json["weight_search"] = to_json(*record.weight_search);
  if (solution.performance) add_estimate(json, reduction, solution, options);
  json["output"] = record.output;
  json["raters"] = rater_list(record, reduction, solution);
  json["grid"] = to_json(reduction.grid);
  json["components"] = reduction.crowns.size();
  json["lmsd"] = solution.lmsd;
  if (solution.lower_bound)
    add_certificate(json, solution.lmsd, *solution.lower_bound, solution.unproven == 0);
  json["voxels"] = solution.voxels;
  json["soft_volume"] = solution.soft_volume;
  json["volume_mm3"] = solution.soft_volume * reduction.grid.voxel_volume();
  json["entropy"] = solution.entropy;
  json["component_table"] = component_table(reduction, solution);
  json["warnings"] = texts(record.warnings, Spelling::program);
  json["seconds"] = record.seconds;
  // File names need not be UTF-8; what is not is replaced rather than lost with the whole record.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string_view version() { return CREMA_VERSION; }

}  // namespace crema
