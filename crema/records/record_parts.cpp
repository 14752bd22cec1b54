// SPDX-License-Identifier: Apache-2.0
#include "crema/records/record_parts.h"

#include <algorithm>
#include <bit>

#include "crema/agreement/overlap.h"
#include "crema/levels/level_maps.h"
#include "crema/levels/rule.h"

namespace crema {
namespace {

/// Of a criterion: bounds and criteria this near are the same.
constexpr double kSameValue = 1e-6;

Json held(const std::string& text) { return text; }
Json held(std::int64_t number) { return number; }
Json held(double number) { return number; }
Json held(bool truth) { return truth; }
Json held(Undefined) { return nullptr; }

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

Json rater_list(const RunFacts& facts, const Reduction& reduction, const Solution& solution) {
  Json list = Json::array();
  const auto raters = compare_raters(reduction, solution);
  for (std::size_t k = 0; k < raters.size(); ++k) {
    Json rater;
    if (k < facts.raters.size()) rater["file"] = facts.raters[k];
    rater["voxels"] = raters[k].voxels;
    put_size(rater, reduction.grid, static_cast<double>(raters[k].voxels));
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
    if (c < solution.votes.size() && !solution.votes[c].empty()) row["votes"] = solution.votes[c];
    if (decision.certificate) {
      add_certificate(row, decision.criterion, decision.certificate->lower_bound,
                      decision.certificate->proven);
      row["nodes"] = decision.certificate->nodes;
    }
    table.push_back(std::move(row));
  }
  return table;
}

/// A million components would make a record that nobody opens; they are summed up.
void add_components(Json& json, const Reduction& reduction, const Solution& solution, Listing listing) {
  if (listing == Listing::full) {
    json["component_table"] = component_table(reduction, solution);
    return;
  }
  const auto kept = std::count_if(solution.components.begin(), solution.components.end(),
                                  [](const Decision& decision) { return decision.soft_voxels > 0; });
  json["component_summary"] = {{"components", reduction.crowns.size()}, {"kept", kept}};
}

}  // namespace

Json value_of(const SettingValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return nullptr;
        else
          return held;
      },
      value);
}

Json to_json(const Grid& grid) {
  return {{"size", grid.size},
          {"spacing", grid.measured ? Json(grid.spacing) : Json(nullptr)},
          {"origin", grid.origin},
          {"direction", grid.direction}};
}

Json to_json(const Box& box) { return {{"low", box.low}, {"high", box.high}}; }

void add_settings(Json& json, const Settings& settings, const Options& options, const Method* method) {
  Settings used = settings;
  used.options = options;
  json["slice_wise"] = value_of(find_setting("slice_wise").get(used));
  for (const Setting& setting : crema::settings()) {
    const bool general = setting.applies_to == Accept::nothing || setting.applies_to == Accept::tie ||
                         setting.name == "preset";  // else it was refused
    const bool fits = general || (method != nullptr && accepts(*method, setting.applies_to));
    const bool reported = setting.reported == Reported::always ||
                          (setting.reported == Reported::given && was_given(settings, setting.name));
    if (fits && reported) json[std::string(setting.name)] = value_of(setting.get(used));
  }
  json["weights"] = value_of(find_setting("weights").get(used));
}

void add_warnings(Json& json, const Warnings& warnings) {
  Json reported = Json::array(), kinds = Json::array();
  for (const Warning& warning : warnings) {
    reported.push_back(warning.marked());
    kinds.push_back({{"kind", to_string(warning.kind)}, {"severity", to_string(severity_of(warning.kind))}});
  }
  json["warnings"] = std::move(reported);
  json["warning_kinds"] = std::move(kinds);
}

void add_run(Json& json, const RunFacts& run, const Settings& settings) {
  if (!settings.provenance) return;
  Json inputs = Json::array();
  for (const InputFact& input : run.inputs)
    inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
  if (!run.inputs.empty()) json["inputs"] = std::move(inputs);
  json["run"] = {{"date", run.date.empty() ? Json(nullptr) : Json(run.date)},
                 {"seconds", run.reading + run.counting + run.solving + run.writing},
                 {"reading", run.reading},
                 {"counting", run.counting},
                 {"solving", run.solving},
                 {"writing", run.writing}};
}

/// `proven` is about the bound, `optimal` about the consensus.
void add_certificate(Json& json, double criterion, double lower_bound, bool proven) {
  const double gap = std::max(0.0, criterion - lower_bound);
  json["lower_bound"] = lower_bound;
  json["gap"] = gap;
  json["relative_gap"] = criterion > 0 ? gap / criterion : 0;
  json["proven"] = proven;
  json["optimal"] = gap <= kSameValue * criterion;
}

void put(Json& json, const std::string& name, const Cell& cell) {
  json[name] = std::visit([](const auto& content) { return held(content); }, cell.content());
  if (const auto* reason = std::get_if<Undefined>(&cell.content()))
    json["undefined"][name] = std::string(to_string(*reason));
}

void put(Json& json, const std::string& name, const Measured& measure) { put(json, name, cell(measure)); }

void put_size(Json& json, const Grid& grid, double voxels) {
  const auto or_null = [](const Measured& size) { return size.defined() ? Json(*size) : Json(nullptr); };
  json["volume_mm3"] = or_null(cubic_millimetres(grid, voxels));
  json["area_mm2"] = or_null(square_millimetres(grid, voxels));
}

Json rows_json(const Table& table, std::size_t first) {
  Json list = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t c = first; c < row.size(); ++c) {
      const auto* const reason = std::get_if<Undefined>(&row[c].content());
      if (reason == nullptr)
        put(object, table.columns[c], row[c]);
      else if (*reason != Undefined::no_levels)  // what levels alone have is not missed of masks
        object[table.columns[c]] = nullptr;
    }
    for (std::size_t c = first; c < row.size(); ++c)
      if (const auto* const reason = std::get_if<Undefined>(&row[c].content());
          reason != nullptr && *reason != Undefined::no_levels)
        put(object, table.columns[c], row[c]);
    list.push_back(std::move(object));
  }
  return list;
}

void add_raters(Json& json, const RunFacts& run, const Reduction& reduction, const Solution& solution,
                const FuseFacts& facts) {
  if (solution.performance) add_estimate(json, reduction, solution, facts.options);
  if (reduction.levels) add_levels(json, run, reduction, solution);
  if (facts.threshold) json["threshold_output"] = *facts.threshold;
  json["raters"] = rater_list(run, reduction, solution);
}

void add_consensus(Json& json, const Reduction& reduction, const Solution& solution, Listing listing) {
  json["components"] = reduction.crowns.size();
  json["lmsd"] = solution.lmsd;
  if (solution.lower_bound)
    add_certificate(json, solution.lmsd, *solution.lower_bound, solution.unproven == 0);
  json["voxels"] = solution.voxels;
  json["soft_volume"] = solution.soft_volume;
  put_size(json, reduction.grid, solution.soft_volume);
  json["entropy"] = solution.entropy;
  add_components(json, reduction, solution, listing);
}

void add_levels(Json& json, const RunFacts& run, const Reduction& reduction, const Solution& solution) {
  json["floor"] = reduction.levels->floor;
  json["support_voxels"] = reduction.levels->voxels();
  const std::optional<LevelRule> rule = level_rule(solution);
  if (!rule) return;
  json["rule"] = {{"weights", rule->weights},
                  {"components", rule->components},
                  {"threshold", rule->threshold ? Json(*rule->threshold) : Json(nullptr)},
                  {"text", rule_text(*rule, run.raters)}};
}

}  // namespace crema
