// SPDX-License-Identifier: Apache-2.0
// The record of several labels.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "crema/records/record_parts.h"

namespace crema {
namespace {

Json label_components(const Reduction& reduction, const Solution& solution) {
  Json table = Json::array();
  for (std::size_t c = 0; c < solution.components.size(); ++c) {
    const Component& component = reduction.components.list[c];
    const Decision& decision = solution.components[c];
    table.push_back({{"box", to_json(component.box)},
                     {"union_voxels", component.voxels},
                     {"soft_volume", decision.soft_voxels},
                     {"criterion", decision.criterion},
                     {"kept", decision.soft_voxels > 0}});
  }
  return table;
}

/// What a region is made of, and what it lies in.
void add_region(Json& json, const LabelCounts& counts, const Structure& own) {
  if (!counts.nested()) return;
  json["labels"] = own.labels;
  json["inside"] = own.parent == Structure::kNone
                       ? Json(nullptr)
                       : Json(counts.structures[static_cast<std::size_t>(own.parent)].structure.name);
}

/// An entry of `label_table`, which went before `structures` and stays for one version.
Json label_json(const RunFacts& run, const LabelCounts& counts, const Solution& solution,
                const LabelResult& known, std::size_t s) {
  const StructureCounts& own = counts.structures[s];
  Json json{{"label", own.structure.value}};
  if (!own.structure.name.empty()) json["name"] = own.structure.name;
  add_region(json, counts, own.structure);
  json["voxels_of_raters"] = own.voxels_of_rater;
  json["components"] = solution.components.size();
  json["voxels"] = solution.voxels;
  put_size(json, counts.grid(), static_cast<double>(solution.voxels));
  json["soft_volume"] = solution.soft_volume;
  json["lmsd"] = solution.lmsd;
  if (known.alone.method != nullptr) json["lmsd_alone"] = known.lmsd_alone;
  if (solution.lower_bound)
    add_certificate(json, solution.lmsd, *solution.lower_bound, solution.unproven == 0);
  if (solution.components.size() <= kMaxListedComponents)
    json["component_table"] = label_components(own.reduction, solution);
  if (own.reduction.levels) add_levels(json, run, own.reduction, solution);
  return json;
}

/// What the record of a mask has, of each structure; its label is the name that other records give it.
Json structure_list(const RunFacts& run, const LabelCounts& counts, std::span<const Solution> structures,
                    const FuseFacts& facts) {
  std::size_t components = 0;
  for (const StructureCounts& own : counts.structures) components += own.reduction.crowns.size();
  const Listing rows = listing_of(components, kMaxListedComponents);
  const auto raters = static_cast<std::size_t>(counts.raters());
  const Listing raters_too = listing_of(counts.structures.size() * raters, kMaxListedRaters);
  Json list = Json::array();
  for (std::size_t s = 0; s < counts.structures.size(); ++s) {
    const auto& [structure, drawn, voxels_of_rater, reduction] = counts.structures[s];
    Json json{{"label", structure.name.empty() ? std::to_string(structure.value) : structure.name},
              {"value", structure.value}};
    add_region(json, counts, structure);
    if (raters_too == Listing::full)
      add_raters(json, run, reduction, structures[s], facts);
    else
      json["voxels_of_raters"] = voxels_of_rater;
    add_consensus(json, reduction, structures[s], rows);
    const LabelResult& known = facts.joint->labels[s];
    if (known.alone.method != nullptr) json["lmsd_alone"] = known.lmsd_alone;
    list.push_back(std::move(json));
  }
  return list;
}

Json dispute_json(const Dispute& dispute, const Grid& grid) {
  const auto first = grid.point(dispute.first);
  return {{"voxels", dispute.voxels},
          {"first", {first[0], first[1], first[2]}},
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
  json["filled"] = consensus.filled;
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

Json with_label(const std::string& label, const Json& record) {
  Json own = Json::object();
  own["label"] = label;
  for (const auto& [name, value] : std::get<Json::Object>(record.value()))
    if (name != "label") own[name] = value;
  return own;
}

Json join_records(const std::vector<std::string>& labels, Json::Array records) {
  if (labels.size() == 1 && labels.front().empty()) return std::move(records.front());
  constexpr std::array<std::string_view, 3> kBefore{"crema", "command", "grid"};
  constexpr std::array<std::string_view, 4> kBehind{"warnings", "warning_kinds", "inputs", "run"};
  Json joined = Json::object(), behind = Json::object(), structures = Json::array();
  for (std::size_t s = 0; s < records.size(); ++s) {
    Json own = Json::object();
    for (auto& [name, value] : std::get<Json::Object>(records[s].value())) {
      const bool before = std::find(kBefore.begin(), kBefore.end(), name) != kBefore.end();
      const bool last = std::find(kBehind.begin(), kBehind.end(), name) != kBehind.end();
      if (before && s == 0) joined[name] = value;
      if (last && s == 0) behind[name] = value;
      if (!before && !last) own[name] = value;
    }
    structures.push_back(with_label(labels[s], own));
  }
  joined["structures"] = std::move(structures);
  for (auto& [name, value] : std::get<Json::Object>(behind.value())) joined[name] = value;
  return joined;
}

void add_labels(Json& json, const RunFacts& run, const LabelCounts& counts,
                std::span<const Solution> structures, const FuseFacts& facts) {
  const LabelConsensus& consensus = *facts.joint;
  const Method& method = *consensus.method;
  json["raters"] = rater_list(run, counts);
  if (consensus.estimate) add_estimate(json, counts, *consensus.estimate);
  json["grid"] = to_json(counts.grid());
  json["lmsd"] = consensus.lmsd;
  json["lmsd_alone"] = consensus.lmsd_alone;
  if (consensus.lower_bound)
    add_certificate(json, consensus.lmsd, *consensus.lower_bound, consensus.unproven == 0);
  json["structures"] = structure_list(run, counts, structures, facts);
  json["label_table"] = Json::array();
  for (std::size_t s = 0; s < counts.structures.size(); ++s)
    json["label_table"].push_back(label_json(run, counts, structures[s], consensus.labels[s], s));
  if (counts.overlapping()) {
    json["overlapping"] = true;
    json["voxels_of_several_labels"] = consensus.shared;
  } else {
    add_disputes(json, consensus, counts.grid());
  }
  if (counts.nested()) json["cut"] = consensus.cut;
  if (consensus.estimate || method.several == Several::plurality) json["tied"] = consensus.undecided;
}

}  // namespace crema
