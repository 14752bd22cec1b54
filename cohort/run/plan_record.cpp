// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/plan_record.h"

#include "cohort/run/result.h"

namespace crema::cohort {

std::string plan_text(const PlanRecord& plan) {
  Json json{{"raters", Json(plan.raters)}, {"shards", Json(plan.shards)}};
  if (plan.pack) json["pack"] = true;
  return sealed(json.text() + "\n");
}

std::optional<PlanRecord> read_plan(const RunFolder& folder) {
  const std::optional<Json> json = read_sealed(folder.plan());
  if (!json) return std::nullopt;
  PlanRecord plan;
  for (const Json& one : list_in(member(*json, "raters"))) plan.raters.emplace_back(text_in(one));
  for (const Json& one : list_in(member(*json, "shards"))) plan.shards.emplace_back(text_in(one));
  plan.pack = line_of(member(*json, "pack")) == "true";
  return plan;
}

}  // namespace crema::cohort
