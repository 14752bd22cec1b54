// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/plan_record.h"

#include <fmt/format.h>

#include "cohort/run/result.h"
#include "crema/base/error.h"
#include "files/io/checksum.h"

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

PlanRecord planned(const RunFolder& folder) {
  std::optional<PlanRecord> plan = read_plan(folder);
  if (!plan || plan->shards.empty())
    throw UsageError(fmt::format("{}: has no shards; make them with {}.", files::printable(folder.path),
                                 Sentence::command("cohort plan")));
  return std::move(*plan);
}

void check_shard(const RunFolder& folder, const PlanRecord& plan, int shard) {
  const auto at = static_cast<std::size_t>(shard - 1);
  if (at >= plan.shards.size())
    throw UsageError(fmt::format("{}: has no shard {}; plan it with {}.", files::printable(folder.path),
                                 shard, Sentence::command("cohort plan")));
  const std::filesystem::path list = folder.shard(shard);
  std::error_code ignored;
  if (!std::filesystem::exists(list, ignored))
    throw UsageError(fmt::format("{}: is not there, but was planned; plan the run again with {}.",
                                 files::printable(list), Sentence::setting("force", "True")));
  if (files::sha256_of(list) != plan.shards[at])
    throw UsageError(fmt::format("{}: is not the list of cases that was planned; plan the run again with {}.",
                                 files::printable(list), Sentence::setting("force", "True")));
}

}  // namespace crema::cohort
