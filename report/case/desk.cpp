// SPDX-License-Identifier: Apache-2.0
#include "report/case/desk.h"

#include <algorithm>
#include <bit>

#include "crema/base/version.h"
#include "crema/records/review_words.h"
#include "files/format.h"
#include "plot/svg.h"
#include "report/html.h"

namespace crema::report {
namespace {

/// What stands before the voxels of the final mask as a NIfTI file, as the program writes it.
template <class Voxels>
std::string header_before(const raters::Case& counted) {
  files::Header reference = counted.reference;
  reference.consensus = true;
  const auto voxels = static_cast<std::size_t>(counted.counts.grid().voxels());
  const std::size_t behind = voxels * sizeof(typename Voxels::value_type);
  const Image blank = Voxels(voxels);
  const files::Encoded encoded = files::encode_image("mask.nii", blank, reference);
  std::size_t size = 0;
  std::vector<std::uint8_t> bytes;
  for (const auto& piece : encoded.outputs.front().pieces) size += piece.size();
  for (const auto& piece : encoded.outputs.front().pieces)
    if (bytes.size() < size - behind)
      bytes.insert(
          bytes.end(), piece.begin(),
          piece.begin() + static_cast<std::ptrdiff_t>(std::min(piece.size(), size - behind - bytes.size())));
  return plot::svg::base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Whether labels fit into a byte each, as they are written then.
bool fit_into_bytes(const raters::Case& counted) {
  for (std::size_t s = 0; s < counted.structures(); ++s)
    if (counted.counts.structures[s].structure.value > 255) return false;
  return true;
}

/// Null where the page cannot make the final mask: what it lacks is in the files.
Json header_json(const raters::Case& counted, const Method& method, const PageFacts& facts) {
  if (facts.slices) return nullptr;
  if (method.kind == Kind::soft) {
    if (counted.labelled()) return nullptr;
    return header_before<SoftImage>(counted);
  }
  if (counted.labelled() && !fit_into_bytes(counted)) return nullptr;
  return header_before<HardImage>(counted);
}

/// Raters by their numbers from 0 on.
Json drawn_json(Raters drawn) {
  Json list = Json::array();
  for (; drawn != 0; drawn &= drawn - 1) list.push_back(std::countr_zero(drawn));
  return list;
}

Json item_json(const ReviewItem& item, const Grid& grid, const Findings& findings) {
  const Measured& margin = findings.study.consensuses.front().margins[item.component];
  Json json{{"reason", to_string(item.reason)},
            {"component", item.component},
            {"first", item.first},
            {"voxels", item.voxels},
            {"inside", item.inside},
            {"at", item.at},
            {"box", {item.box.low, item.box.high}},
            {"words", review_words(item, grid, findings.names.raters)},
            {"drawn", drawn_json(item.drawn)},
            {"margin", nullptr}};
  if (margin.defined()) json["margin"] = *margin;
  return json;
}

}  // namespace

Json desk_json(const raters::Case& counted, const Findings& findings, const PageFacts& facts) {
  const raters::Outcome& main = findings.outcomes.front();
  const bool by_component =
      main.method().aim == Aim::distance && std::holds_alternative<Solver>(main.method().solver);
  if (facts.masks.empty() || !facts.decided || !by_component || counted.counts.overlapping() ||
      counted.reduction(findings.structure).levels)
    return nullptr;
  const Grid& grid = counted.counts.grid();
  Json json{{"crema", version()}, {"method", main.method().name}, {"size", grid.size}};
  json["settings"] = Json::object();
  for (const DecidedSetting& setting : *facts.decided) json["settings"][setting.name] = setting.text;
  json["inputs"] = Json::array();
  for (const InputFact& input : facts.masks)
    json["inputs"].push_back({{"name", bidi_safe(input.path)}, {"sha256", input.sha256}});
  json["label"] = counted.label(findings.structure);
  json["items"] = Json::array();
  for (const ReviewItem& item : findings.study.consensuses.front().review)
    json["items"].push_back(item_json(item, grid, findings));
  json["all"] = findings.study.consensuses.front().review_all;
  json["header"] = header_json(counted, main.method(), facts);
  json["soft"] = main.method().kind == Kind::soft;
  json["value"] = counted.labelled() ? counted.counts.structures[findings.structure].structure.value : 1;
  return json;
}

}  // namespace crema::report
