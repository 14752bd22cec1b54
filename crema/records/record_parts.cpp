// SPDX-License-Identifier: Apache-2.0
#include "crema/records/record_parts.h"

#include <algorithm>

namespace crema {
namespace {

/// Of a criterion: bounds and criteria this near are the same.
constexpr double kSameValue = 1e-6;

Json held(const std::string& text) { return text; }
Json held(std::int64_t number) { return number; }
Json held(double number) { return number; }
Json held(bool truth) { return truth; }
Json held(Undefined) { return nullptr; }

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
    const bool general =
        setting.applies_to == Accept::nothing || setting.name == "preset";  // else it was refused
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

}  // namespace crema
