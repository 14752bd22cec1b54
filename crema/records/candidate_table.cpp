// SPDX-License-Identifier: Apache-2.0
#include "crema/records/candidate_table.h"

namespace crema {

Columns<CandidateRow> candidate_columns() {
  using Row = CandidateRow;
  return {
      {"case", "the case", [](const Row& row) -> Cell { return row.name; }},
      {"label", "the structure; empty for masks", [](const Row& row) -> Cell { return row.label; }},
      {"raters", "how many", [](const Row& row) -> Cell { return row.raters; }},
      {"mean_candidate", "mean Dice of the candidate with each rater",
       [](const Row& row) { return cell(row.index.mean_candidate); }},
      {"mean_pairs", "mean Dice of the raters with each other",
       [](const Row& row) { return cell(row.index.mean_pairs); }},
      {"wi", "Williams' index: mean_candidate / mean_pairs",
       [](const Row& row) { return cell(row.index.index); }},
      {"delta", "mean_candidate − mean_pairs", [](const Row& row) { return cell(row.index.difference); }}};
}

Json candidate_json(const CandidateIndex& index) {
  Json json = Json::object(), undefined = Json::object();
  const auto put_measure = [&](const char* name, const Measured& measure) {
    json[name] = measure.defined() ? Json(*measure) : Json(nullptr);
    if (!measure.defined()) undefined[name] = to_string(*measure.reason());
  };
  put_measure("mean_candidate", index.mean_candidate);
  put_measure("mean_pairs", index.mean_pairs);
  put_measure("wi", index.index);
  put_measure("delta", index.difference);
  json["caveat"] = kCandidateCaveat;
  json["undefined"] = std::move(undefined);
  return json;
}

}  // namespace crema
