// SPDX-License-Identifier: Apache-2.0
#include "cli/certify_record.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "crema/agreement/record.h"

namespace crema::cli {
namespace {

using Json = nlohmann::ordered_json;

Json rater_list(const CertifyRecord& record, const Reduction& reduction) {
  std::vector<std::int64_t> voxels(record.raters.size(), 0);
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows)
      for (std::size_t k = 0; k < voxels.size(); ++k)
        if (((row.raters >> k) & 1U) != 0) voxels[k] += row.voxels;
  Json list = Json::array();
  for (std::size_t k = 0; k < voxels.size(); ++k)
    list.push_back({{"file", record.raters[k]}, {"voxels", voxels[k]}});
  return list;
}

Json component_table(const Reduction& reduction, const MapCertificate& certificate) {
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

void add_verdict(Json& json, const MapCertificate& certificate) {
  const double gap = std::max(0.0, certificate.lmsd - certificate.lower_bound);
  json["lmsd"] = certificate.lmsd;
  json["lower_bound"] = certificate.lower_bound;
  json["gap"] = gap;
  json["relative_gap"] = certificate.lmsd > 0 ? gap / certificate.lmsd : 0;
  json["proven"] = certificate.unproven == 0;
  json["voxels"] = certificate.voxels;
  json["outside"] = certificate.outside;
}

}  // namespace

std::string to_json(const CertifyRecord& record, const Reduction& reduction, Distance distance,
                    const MapCertificate& certificate, const Options& options) {
  constexpr std::string_view axes = "xyz";
  const Grid& grid = reduction.grid;
  Json json;
  json["crema"] = version();
  json["command"] = record.command;
  json["consensus"] = record.consensus;
  json["distance"] = to_string(distance);
  json["connectivity"] = reduction.neighbourhood.connectivity;
  json["slice_wise"] = options.slice_wise
                           ? Json(axes.substr(static_cast<std::size_t>(*options.slice_wise), 1))
                           : Json(nullptr);
  json["weights"] = options.weights.empty() ? Json(nullptr) : Json(options.weights);
  json["raters"] = rater_list(record, reduction);
  json["grid"] = {
      {"size", grid.size}, {"spacing", grid.spacing}, {"origin", grid.origin}, {"direction", grid.direction}};
  json["components"] = certificate.components.size();
  add_verdict(json, certificate);
  json["component_table"] = component_table(reduction, certificate);
  json["warnings"] = texts(record.warnings, Spelling::program);
  json["seconds"] = record.seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crema::cli
