// SPDX-License-Identifier: Apache-2.0
#include "crema/records/records.h"

#include <algorithm>

#include "crema/base/parallel.h"
#include "crema/base/version.h"
#include "crema/records/record.h"
#include "crema/records/record_parts.h"

namespace crema {
namespace {

Json to_json(const WeightSearch& search) {
  return {{"rounds", search.rounds}, {"converged", search.converged}, {"change", search.change}};
}

Json certificate_table(const Reduction& reduction, const MapCertificate& certificate) {
  Json table = Json::array();
  for (std::size_t c = 0; c < certificate.components.size(); ++c) {
    const Component& component = reduction.components.list[c];
    const Decision& decision = certificate.components[c];
    const Certificate& own = *decision.certificate;
    table.push_back({{"box", {{"low", component.box.low}, {"high", component.box.high}}},
                     {"union_voxels", component.voxels},
                     {"voxels", decision.voxels},
                     {"criterion", decision.criterion},
                     {"lower_bound", own.lower_bound},
                     {"gap", std::max(0.0, decision.criterion - own.lower_bound)},
                     {"proven", own.proven}});
  }
  return table;
}

/// As for a consensus: too many components are summed up.
void add_certificates(Json& json, const Reduction& reduction, const MapCertificate& certificate) {
  if (certificate.components.size() <= kMaxListedComponents)
    json["component_table"] = certificate_table(reduction, certificate);
  else
    json["component_summary"] = {{"components", certificate.components.size()},
                                 {"unproven", certificate.unproven}};
}

Json voxel_list(const RunFacts& run, const Reduction& reduction) {
  std::vector<std::int64_t> voxels(static_cast<std::size_t>(reduction.raters), 0);
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows)
      for (std::size_t k = 0; k < voxels.size(); ++k)
        if (((row.raters >> k) & 1U) != 0) voxels[k] += row.voxels;
  Json list = Json::array();
  for (std::size_t k = 0; k < voxels.size(); ++k) {
    Json rater;
    if (k < run.raters.size()) rater["file"] = run.raters[k];
    rater["voxels"] = voxels[k];
    list.push_back(std::move(rater));
  }
  return list;
}

Json to_json(const ImageSize& size) {
  return {{"name", to_string(size)}, {"voxels", size.voxels}, {"background", size.background}};
}

Json to_json(const ExtentCurve& curve) {
  Json voxels = Json::array(), soft_volume = Json::array(), entropy = Json::array(),
       converged = Json::array();
  for (const Extent& extent : curve.at) {
    voxels.push_back(extent.voxels);
    soft_volume.push_back(extent.soft_volume);
    entropy.push_back(extent.entropy);
    converged.push_back(extent.converged);
  }
  const auto change = percent_of_change(static_cast<double>(curve.at.front().voxels),
                                        static_cast<double>(curve.at.back().voxels));
  return {{"name", to_string(curve)},
          {"method", curve.method->name},
          {"paper_name", curve.method->paper_name},
          {"kind", curve.method->kind == Kind::hard ? "hard" : "soft"},
          {"alpha", curve.alpha ? Json(*curve.alpha) : Json(nullptr)},
          {"sees_background", curve.sees_background},
          {"moves", moves(curve)},
          {"percent", change ? Json(*change) : Json(nullptr)},
          {"voxels", std::move(voxels)},
          {"soft_volume", std::move(soft_volume)},
          {"entropy", std::move(entropy)},
          {"converged", std::move(converged)}};
}

Json begin_record(const RunFacts& run, const Settings& settings, const Method& method,
                  const Reduction& reduction, const FuseFacts& facts) {
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  json["method"] = method.name;
  json["paper_name"] = method.paper_name;
  json["kind"] = method.kind == Kind::hard ? "hard" : "soft";
  json["reference"] = method.reference;
  json["connectivity"] = reduction.neighbourhood.connectivity;
  json["distance"] = to_string(method.distance);
  add_settings(json, settings, facts.options, &method);
  if (facts.search) json["weight_search"] = to_json(*facts.search);
  json["output"] = facts.output;
  return json;
}

void add_mask(Json& json, const RunFacts& run, const Reduction& reduction, const Solution& solution,
              const FuseFacts& facts) {
  add_raters(json, run, reduction, solution, facts);
  json["grid"] = to_json(reduction.grid);
  add_consensus(json, reduction, solution, listing_of(reduction.crowns.size(), kMaxListedComponents));
}

}  // namespace

Json fuse_record(const RunFacts& run, const Settings& settings, const LabelCounts& counts,
                 std::span<const Solution> structures, const FuseFacts& facts) {
  Json json =
      begin_record(run, settings, *structures.front().method, counts.structures.front().reduction, facts);
  if (facts.joint != nullptr)
    add_labels(json, run, counts, structures, facts);
  else
    add_mask(json, run, counts.structures.front().reduction, structures.front(), facts);
  add_warnings(json, run.warnings);
  add_run(json, run, settings);
  return json;
}

std::string fuse_records_text(const RunFacts& run, std::size_t results,
                              const std::function<Json(std::size_t)>& make) {
  if (results == 1) return record_text(make(0));
  constexpr std::size_t kIndent = 4;
  std::vector<std::string> texts(results);
  parallel_for(static_cast<std::int64_t>(results), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    texts[at] = make(at).text(kIndent);
  });
  Json head;
  head["crema"] = version();
  head["command"] = run.command;
  std::string text = head.text();
  text.resize(text.size() - std::string_view("\n}").size());
  text += ",\n  \"results\": [";
  for (const std::string& one : texts) {
    if (&one != &texts.front()) text += ',';
    text += '\n';
    text.append(kIndent, ' ');
    text += one;
  }
  return text + "\n  ]\n}\n";
}

Json certify_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                    const std::string& consensus, Distance distance, const MapCertificate& certificate) {
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  json["consensus"] = consensus;
  json["distance"] = to_string(distance);
  json["connectivity"] = reduction.neighbourhood.connectivity;
  add_settings(json, settings, settings.options, nullptr);
  json["raters"] = voxel_list(run, reduction);
  json["grid"] = to_json(reduction.grid);
  json["components"] = certificate.components.size();
  json["lmsd"] = certificate.lmsd;
  add_certificate(json, certificate.lmsd, certificate.lower_bound, certificate.unproven == 0);
  if (certificate.best_known) json["best_known"] = *certificate.best_known;
  if (certificate.outside > 0) json["optimal"] = false;  // without those voxels it is better, if unmeasured
  json["voxels"] = certificate.voxels;
  json["outside"] = certificate.outside;
  add_certificates(json, reduction, certificate);
  add_warnings(json, run.warnings);
  add_run(json, run, settings);
  return json;
}

Json background_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                       const BackgroundStudy& study) {
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  json["raters"] = run.raters;
  json["connectivity"] = reduction.neighbourhood.connectivity;
  json["union_voxels"] = study.union_voxels;
  json["mean_voxels"] = study.mean_voxels;
  json["drawn_by_least"] = study.drawn_by_least;
  json["image"] = study.image;
  json["sizes"] = Json::array();
  for (const ImageSize& size : study.sizes) json["sizes"].push_back(to_json(size));
  json["curves"] = Json::array();
  for (const ExtentCurve& curve : study.curves) json["curves"].push_back(to_json(curve));
  add_warnings(json, run.warnings);
  add_run(json, run, settings);
  return json;
}

std::int64_t record_bytes(const Reduction& reduction) {
  const std::size_t rows = std::min(reduction.crowns.size(), kMaxListedComponents);
  constexpr std::int64_t kRow = 3600, kRater = 900;
  return static_cast<std::int64_t>(rows + 2) * (kRow + kRater * reduction.raters);
}

std::string record_text(const Json& record) { return record.text() + "\n"; }

std::string to_json(const Consensus& consensus, const Options& options,
                    const std::vector<std::string>& raters) {
  Settings settings{.options = options};
  settings.provenance = false;
  const RunFacts run{.command = {}, .raters = raters, .warnings = spelled(consensus.solution.warnings, {})};
  const FuseFacts facts{.options = options};
  Json json = begin_record(run, settings, *consensus.solution.method, consensus.reduction, facts);
  add_mask(json, run, consensus.reduction, consensus.solution, facts);
  add_warnings(json, run.warnings);
  add_run(json, run, settings);
  return record_text(json);
}

}  // namespace crema
