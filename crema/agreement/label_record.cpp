// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/label_record.h"

#include <algorithm>

#include "crema/agreement/record_parts.h"
#include "crema/version.h"

namespace crema {
namespace {

Json component_table(const StructureCounts& counts, const LabelResult& result) {
  Json table = Json::array();
  for (std::size_t c = 0; c < result.criterion.size(); ++c) {
    const Component& component = counts.reduction.components.list[c];
    Box box = component.box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] += counts.box.low[a];
      box.high[a] += counts.box.low[a];
    }
    table.push_back({{"box", to_json(box)},
                     {"union_voxels", component.voxels},
                     {"soft_volume", result.soft_voxels[c]},
                     {"criterion", result.criterion[c]},
                     {"kept", result.soft_voxels[c] > 0}});
  }
  return table;
}

Json label_json(const LabelCounts& counts, const LabelConsensus& consensus, std::size_t s) {
  const StructureCounts& own = counts.structures[s];
  const LabelResult& result = consensus.labels[s];
  Json json{{"label", own.structure.value}};
  if (!own.structure.name.empty()) json["name"] = own.structure.name;
  if (counts.nested()) {
    json["labels"] = own.structure.labels;
    const int parent = own.structure.parent;
    json["inside"] = parent == Structure::kNone
                         ? Json(nullptr)
                         : Json(counts.structures[static_cast<std::size_t>(parent)].structure.name);
  }
  json["voxels_of_raters"] = own.voxels_of_rater;
  json["components"] = result.criterion.size();
  json["voxels"] = result.voxels;
  json["volume_mm3"] = static_cast<double>(result.voxels) * counts.grid().voxel_volume();
  json["soft_volume"] = result.soft_volume;
  json["lmsd"] = result.lmsd;
  if (result.alone.method != nullptr) json["lmsd_alone"] = result.alone.lmsd;
  if (result.alone.lower_bound)
    add_certificate(json, result.lmsd, *result.alone.lower_bound, result.alone.unproven == 0);
  if (result.criterion.size() <= kMaxListedComponents) json["component_table"] = component_table(own, result);
  return json;
}

Json dispute_json(const Dispute& dispute, const Grid& grid) {
  const std::int64_t nx = grid.size[0], ny = grid.size[1], v = dispute.first;
  return {{"voxels", dispute.voxels},
          {"first", {v % nx, v / nx % ny, v / nx / ny}},
          {"said", dispute.said},
          {"claimants", dispute.claimants},
          {"given", dispute.given}};
}

void add_disputes(Json& json, const LabelConsensus& consensus, const Grid& grid) {
  json["claimed_twice"] = consensus.claimed_twice;
  json["dispute_blocks"] = consensus.disputes.size();
  json["disputes"] = Json::array();
  for (std::size_t i = 0; i < std::min(kMaxListedDisputes, consensus.disputes.size()); ++i)
    json["disputes"].push_back(dispute_json(consensus.disputes[i], grid));
  json["emptied_components"] = consensus.emptied;
  json["unlabelled"] = consensus.unlabelled;
}

void add_estimate(Json& json, const LabelCounts& counts, const LabelEstimate& estimate) {
  json["iterations"] = estimate.iterations;
  json["converged"] = estimate.converged;
  if (!estimate.prior.empty()) json["prior"] = estimate.prior;
  Json::Array& raters = json["raters"].items();
  for (std::size_t k = 0; k < raters.size(); ++k) {
    Json& rater = raters[k];
    if (k < estimate.score.size()) {
      rater["score"] = estimate.score[k];
      rater["dropped"] = (estimate.dropped >> k & 1) != 0;
    }
    if (k >= estimate.confusion.size()) continue;
    const std::size_t places = counts.structures.size() + 1;
    rater["confusion"] = Json::array();
    for (std::size_t said = 0; said < places; ++said) {
      const auto row = estimate.confusion[k].begin() + static_cast<std::ptrdiff_t>(said * places);
      rater["confusion"].push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(places)));
    }
  }
}

Json rater_list(const RunFacts& run, const LabelCounts& counts) {
  Json list = Json::array();
  for (std::size_t k = 0; k < counts.maps->raters.size(); ++k) {
    std::int64_t voxels = 0;
    for (const LabelRun& own : counts.maps->raters[k].runs()) voxels += own.length;
    Json rater;
    if (k < run.raters.size()) rater["file"] = run.raters[k];
    rater["voxels"] = voxels;
    list.push_back(std::move(rater));
  }
  return list;
}

}  // namespace

Json label_record(const RunFacts& run, const Settings& settings, const LabelCounts& counts,
                  const LabelFacts& facts) {
  const LabelConsensus& consensus = facts.consensus;
  const Method& method = *consensus.method;
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  json["method"] = method.name;
  json["paper_name"] = method.paper_name;
  json["kind"] = method.kind == Kind::hard ? "hard" : "soft";
  json["reference"] = method.reference;
  json["connectivity"] = counts.structures.front().reduction.neighbourhood.connectivity;
  json["distance"] = to_string(method.distance);
  add_settings(json, settings, facts.options, &method);
  json["output"] = facts.output;
  json["raters"] = rater_list(run, counts);
  if (consensus.estimate) add_estimate(json, counts, *consensus.estimate);
  json["grid"] = to_json(counts.grid());
  json["lmsd"] = consensus.lmsd;
  json["lmsd_alone"] = consensus.lmsd_alone;
  if (consensus.lower_bound)
    add_certificate(json, consensus.lmsd, *consensus.lower_bound, consensus.unproven == 0);
  json["label_table"] = Json::array();
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    json["label_table"].push_back(label_json(counts, consensus, s));
  if (counts.maps->overlapping) {
    json["overlapping"] = true;
    json["voxels_of_several_labels"] = consensus.shared;
  } else {
    add_disputes(json, consensus, counts.grid());
  }
  if (counts.nested()) json["cut"] = consensus.cut;
  if (consensus.estimate || (method.aim == Aim::vote && method.kind == Kind::hard))
    json["tied"] = consensus.undecided;
  json["warnings"] = run.warnings;
  add_run(json, run, settings);
  return json;
}

}  // namespace crema
