// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/base/version.h"
#include "crema/records/record_parts.h"

namespace crema {

Json check_record(const RunFacts& run, const Settings& settings, const std::vector<CheckedRater>& raters,
                  const std::vector<std::string>& problems) {
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  for (const Setting& setting : crema::settings())
    if (setting.reported == Reported::given && was_given(settings, setting.name))
      json[std::string(setting.name)] = value_of(setting.get(settings));
  const auto is_fine = [](const CheckedRater& rater) { return rater.problems.empty(); };
  json["fine"] = problems.empty() && std::all_of(raters.begin(), raters.end(), is_fine);
  json["raters"] = Json::array();
  for (const CheckedRater& rater : raters) {
    Json row{{"file", rater.file}, {"fine", rater.problems.empty()}, {"problems", rater.problems}};
    row["grid"] = rater.grid ? to_json(*rater.grid) : Json(nullptr);
    row["type"] = rater.grid ? Json(rater.type) : Json(nullptr);
    row["voxels"] = rater.problems.empty() ? Json(rater.voxels) : Json(nullptr);
    json["raters"].push_back(std::move(row));
  }
  json["problems"] = problems;
  add_warnings(json, run.warnings);
  add_run(json, run, settings);
  return json;
}

}  // namespace crema
