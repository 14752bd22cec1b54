// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/records_parts.h"

#include <algorithm>

#include "crema/version.h"

namespace crema {
namespace records {

Json to_json(const Grid& grid) {
  return {
      {"size", grid.size}, {"spacing", grid.spacing}, {"origin", grid.origin}, {"direction", grid.direction}};
}

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

}  // namespace records

Json check_record(const RunFacts& run, const Settings& settings, const std::vector<CheckedRater>& raters,
                  const std::vector<std::string>& problems) {
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  for (const Setting& setting : crema::settings())
    if (setting.told == Told::given && was_given(settings, setting.name))
      json[std::string(setting.name)] = records::value_of(setting.get(settings));
  const auto is_fine = [](const CheckedRater& rater) { return rater.problems.empty(); };
  json["fine"] = problems.empty() && std::all_of(raters.begin(), raters.end(), is_fine);
  json["raters"] = Json::array();
  for (const CheckedRater& rater : raters) {
    Json row{{"file", rater.file}, {"fine", rater.problems.empty()}, {"problems", rater.problems}};
    row["grid"] = rater.grid ? records::to_json(*rater.grid) : Json(nullptr);
    row["type"] = rater.grid ? Json(rater.type) : Json(nullptr);
    row["voxels"] = rater.problems.empty() ? Json(rater.voxels) : Json(nullptr);
    json["raters"].push_back(std::move(row));
  }
  json["problems"] = problems;
  json["warnings"] = run.warnings;
  records::add_run(json, run, settings);
  return json;
}

}  // namespace crema
