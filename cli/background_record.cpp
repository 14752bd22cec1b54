// SPDX-License-Identifier: Apache-2.0
#include "cli/background_record.h"

#include <nlohmann/json.hpp>

#include "crema/agreement/background.h"
#include "crema/agreement/record.h"

namespace crema::cli {
namespace {

using Json = nlohmann::ordered_json;

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
          {"told", curve.told},
          {"moves", moves(curve)},
          {"percent", change ? Json(*change) : Json(nullptr)},
          {"voxels", std::move(voxels)},
          {"soft_volume", std::move(soft_volume)},
          {"entropy", std::move(entropy)},
          {"converged", std::move(converged)}};
}

}  // namespace

std::string to_json(const BackgroundRecord& record, const Reduction& reduction,
                    const BackgroundStudy& study) {
  Json json;
  json["crema"] = version();
  json["command"] = record.command;
  json["raters"] = record.raters;
  json["connectivity"] = reduction.neighbourhood.connectivity;
  json["union_voxels"] = study.union_voxels;
  json["mean_voxels"] = study.mean_voxels;
  json["drawn_by_least"] = study.drawn_by_least;
  json["image"] = study.image;
  json["sizes"] = Json::array();
  for (const ImageSize& size : study.sizes) json["sizes"].push_back(to_json(size));
  json["curves"] = Json::array();
  for (const ExtentCurve& curve : study.curves) json["curves"].push_back(to_json(curve));
  json["warnings"] = texts(record.warnings, Spelling::program);
  json["seconds"] = record.seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crema::cli
