// SPDX-License-Identifier: Apache-2.0
#include "crema/records/agreement_record.h"

#include <bit>

#include <fmt/format.h>

#include "crema/base/text.h"
#include "crema/base/version.h"
#include "crema/records/record_parts.h"
#include "crema/records/review_words.h"

namespace crema {
namespace {

const std::string& name_of(const CaseNames& names, int rater) {
  return names.raters[static_cast<std::size_t>(rater)];
}

Json rater_list(const RunFacts& run, const Reduction& reduction, const CaseNames& names,
                const AgreementStudy& study) {
  std::vector<std::int64_t> voxels(names.raters.size(), 0);
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows)
      for (Raters left = row.raters; left != 0; left &= left - 1)
        voxels[static_cast<std::size_t>(std::countr_zero(left))] += row.voxels;
  Json list = Json::array();
  for (std::size_t k = 0; k < voxels.size(); ++k) {
    const RaterDistance& others = study.outlier.raters[k];
    Json rater{{"name", names.raters[k]}};
    if (k < run.raters.size()) rater["file"] = run.raters[k];
    rater["voxels"] = voxels[k];
    put_size(rater, reduction.grid, static_cast<double>(voxels[k]));
    rater["farthest_from"] =
        others.farthest_from ? Json(name_of(names, *others.farthest_from)) : Json(nullptr);
    rater["dice_distance"] = rater["jaccard_distance"] = nullptr;
    put(rater, "dice_distance", others.dice);
    put(rater, "jaccard_distance", others.jaccard);
    list.push_back(std::move(rater));
  }
  return list;
}

Json chance_json(const AgreementStudy& study) {
  const ChanceCorrected& chance = study.chance;
  Json json{{"region", to_string(chance.region.kind)},
            {"margin", chance.region.margin},
            {"voxels", chance.voxels},
            {"background", chance.background}};
  json["fleiss_kappa"] = json["krippendorff_alpha"] = nullptr;
  json["moves"] = Json::array();
  for (const ChanceCorrectedAt& at : study.moves) {
    Json one{{"image", to_string(at.size)}, {"voxels", at.size.voxels}, {"background", at.size.background}};
    put(one, "fleiss_kappa", at.kappa);
    put(one, "krippendorff_alpha", at.alpha);
    json["moves"].push_back(std::move(one));
  }
  put(json, "fleiss_kappa", chance.kappa);
  put(json, "krippendorff_alpha", chance.alpha);
  return json;
}

Json to_json(const BothMeans& means) {
  Json json{{"counted", means.counted}};
  put(json, "left_out", means.left_out);
  return json;
}

Json junctions(const std::vector<Junction>& list) {
  Json json = Json::array();
  for (const Junction& one : list)
    json.push_back({{"part", one.part + 1}, {"box", to_json(one.box)}, {"meets", one.meets.size()}});
  return json;
}

/// How many columns at the start of a table say of which case and label it is; and of which method.
std::size_t of_case(const CaseNames& names) { return names.label ? 2 : 1; }
std::size_t of_consensus(const CaseNames& names) { return of_case(names) + 1; }

/// The rows of one consensus in the table of raters, and what does not fit a row.
Json raters_beside(const CaseNames& names, const AgreementStudy& study, const ConsensusStudy& one) {
  Json list = rows_json(table_of(rater_columns(names), rater_rows(names, study, one)), of_consensus(names));
  std::size_t k = 0;
  for (Json& rater : list.items()) {
    rater["split_parts"] = junctions(one.detection.raters[k].splits);
    rater["merged_parts"] = junctions(one.detection.raters[k++].merges);
  }
  return list;
}

Json component_json(const CaseNames& names, const Reduction& reduction, const ConsensusStudy& study,
                    std::size_t c) {
  const Component& component = reduction.components.list[c];
  const Decision& decision = study.evaluated.solution.components[c];
  const FoundWeights& found = study.weights[c];
  Json json{{"component", c + 1},
            {"box", to_json(component.box)},
            {"union_voxels", component.voxels},
            {"consensus_voxels", decision.voxels},
            {"kept", decision.soft_voxels > 0},
            {"criterion", decision.criterion},
            {"margin", nullptr},
            {"rule", rule_in_words(found, names.raters)},
            {"weights_found", found.reason ? Json(nullptr) : Json(found.weights)},
            {"weight_threshold", found.reason ? Json(nullptr) : Json(found.threshold)},
            {"exceptions", found.exceptions}};
  if (!study.stability.empty()) {
    json["flip_weights"] = Json::array();
    for (const auto& weight : study.stability[c].flip_weight)
      json["flip_weights"].push_back(weight ? Json(*weight) : Json(nullptr));
  }
  if (study.bootstrap) json["bootstrap_kept"] = study.bootstrap->kept[c];
  put(json, "margin", study.margins[c]);
  if (found.reason) json["undefined"]["weights_found"] = std::string(to_string(*found.reason));
  return json;
}

Json left_out_json(const CaseNames& names, const ConsensusStudy& study) {
  Json list = Json::array();
  for (const LeftOut& one : study.left_out) {
    Json json{{"rater", name_of(names, one.rater)},
              {"voxels", one.voxels.second},
              {"dice", nullptr},
              {"change", one.change},
              {"soft_change", one.soft_change},
              {"lmsd", one.lmsd}};
    const auto numbers = [](const std::vector<std::size_t>& components) {
      Json found = Json::array();
      for (const std::size_t c : components) found.push_back(c + 1);
      return found;
    };
    json["gained"] = numbers(one.gained);
    json["lost"] = numbers(one.lost);
    put(json, "dice", one.dice);
    list.push_back(std::move(json));
  }
  return list;
}

Json to_json(const Spread& spread) {
  return {{"low", spread.low}, {"median", spread.median}, {"high", spread.high}};
}

void add_confidence(Json& json, const CaseNames& names, const Reduction& reduction,
                    const AgreementStudy& study, const ConsensusStudy& one) {
  if (study.requested.leave_out) {
    json["leave_one_out"] = {{"mode", *study.requested.leave_out == LeaveOut::fixed ? "fixed" : "exact"},
                             {"raters", left_out_json(names, one)}};
  }
  if (one.bootstrap)
    json["bootstrap"] = {{"replicates", one.bootstrap->replicates},
                         {"seed", one.bootstrap->seed},
                         {"rough", one.bootstrap->rough},
                         {"voxels", to_json(one.bootstrap->voxels)},
                         {"soft_volume", to_json(one.bootstrap->soft_volume)},
                         {"lmsd", to_json(one.bootstrap->lmsd)}};
  if (one.evaluated.joint.replicas && study.requested.leave_out) json["leave_one_out"]["labels"] = "together";
  if (one.evaluated.joint.replicas && one.bootstrap) json["bootstrap"]["labels"] = "together";
  if (study.requested.uniqueness) json["uniqueness"] = uniqueness_json(one.uniqueness);
  if (study.requested.review)
    json["review"] = rows_json(review_table(names, reduction, one), of_consensus(names));
}

Json to_json(const MeanAgreement& means) {
  return {
      {"precision", to_json(means.precision)}, {"recall", to_json(means.recall)}, {"f1", to_json(means.f1)}};
}

Json consensus_json(const CaseNames& names, const Reduction& reduction, const AgreementStudy& study,
                    const ConsensusStudy& one) {
  const Solution& solution = one.evaluated.solution;
  const Method* method = one.evaluated.method;
  Json json{{"name", one.evaluated.name},
            {"method", method == nullptr ? Json(nullptr) : Json(method->name)},
            {"paper_name", method == nullptr ? Json(nullptr) : Json(method->paper_name)},
            {"distance", method == nullptr ? Json(nullptr) : Json(to_string(method->distance))},
            {"lmsd", method == nullptr ? Json(nullptr) : Json(solution.lmsd)},
            {"voxels", solution.voxels},
            {"soft_volume", solution.soft_volume},
            {"volume_mm3", nullptr},
            {"area_mm2", nullptr},
            {"entropy", solution.entropy},
            {"kept", one.kept()},
            {"parts", one.detection.parts},
            {"isolated", one.detection.isolated},
            {"mean_detection", to_json(mean_detection(one.detection))},
            {"raters", raters_beside(names, study, one)}};
  put_size(json, reduction.grid, solution.soft_volume);
  add_confidence(json, names, reduction, study, one);
  if (reduction.crowns.size() <= kMaxListedComponents) {
    json["component_table"] = Json::array();
    for (std::size_t c = 0; c < reduction.crowns.size(); ++c)
      json["component_table"].push_back(component_json(names, reduction, one, c));
  } else {
    json["component_summary"] = {{"components", reduction.crowns.size()}, {"kept", one.kept()}};
  }
  return json;
}

Json start(const RunFacts& run, const Settings& settings, const Reduction& reduction,
           const CaseNames& names) {
  Json json;
  json["crema"] = version();
  json["command"] = run.command;
  json["case"] = names.name;
  if (names.label) json["label"] = *names.label;
  json["connectivity"] = reduction.neighbourhood.connectivity;
  add_settings(json, settings, settings.options, nullptr);
  json["grid"] = to_json(reduction.grid);
  json["components"] = reduction.crowns.size();
  return json;
}

/// One point for each finding of a structure.
Json markup_list(const CaseNames& names, const Grid& grid, const ConsensusStudy& study) {
  Json points = Json::array();
  std::size_t rank = 0;
  for (const ReviewItem& item : study.review) {
    ++rank;
    points.push_back({{"id", fmt::format("{}", rank)},
                      {"label", fmt::format("{}{}", names.label ? *names.label + " " : "", rank)},
                      {"description", fmt::format("{}; component {}, {}; voxels {}",
                                                  review_words(item, grid, names.raters), item.component + 1,
                                                  crema::counted(item.voxels, "voxel"), box_text(item.box))},
                      {"position", item.centre},
                      {"orientation", {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0}},
                      {"selected", true},
                      {"locked", false},
                      {"visibility", true},
                      {"positionStatus", "defined"}});
  }
  return {{"type", "Fiducial"},     {"coordinateSystem", "RAS"},           {"coordinateUnits", "mm"},
          {"locked", false},        {"fixedNumberOfControlPoints", false}, {"labelFormat", "%N-%d"},
          {"controlPoints", points}};
}

}  // namespace

Json to_json(const Suspicion& suspicion, const CaseNames& names) {
  constexpr std::array<std::string_view, 4> kinds{"apart", "flipped", "exchanged", "shifted"};
  Json json{{"rater", name_of(names, suspicion.rater)},
            {"kind", kinds[static_cast<std::size_t>(suspicion.kind)]}};
  const auto axis = [](Axis a) { return std::string(1, "xyz"[static_cast<std::size_t>(a)]); };
  if (suspicion.kind == Suspicion::Kind::flipped) json["axes"] = axes_in_words(suspicion.flipped);
  if (suspicion.kind == Suspicion::Kind::exchanged)
    json["axes"] = axis(suspicion.exchanged[0]) + " and " + axis(suspicion.exchanged[1]);
  if (suspicion.kind == Suspicion::Kind::shifted) json["shift"] = suspicion.shift;
  if (suspicion.like >= 0) {
    json["like"] = name_of(names, suspicion.like);
    json["dice"] = suspicion.dice;
  }
  return json;
}

Json agreement_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                      const CaseNames& names, const AgreementStudy& study) {
  Json json = start(run, settings, reduction, names);
  json["raters"] = rater_list(run, reduction, names, study);
  json["positive_agreement"] = json["outlier"] = nullptr;
  json["chance_corrected"] = chance_json(study);
  json["hd95_kind"] = word_of(study.requested.hd95, kHd95Words);
  put(json, "surface_tolerance_mm", millimetres(study.grid, study.requested.surface_tolerance));
  put(json, "surface_tolerance_voxels", in_voxels(study.grid, study.requested.surface_tolerance));
  json["pairs"] = rows_json(rater_pairs_table(names, study), of_case(names));
  json["suspicions"] = Json::array();
  for (const Suspicion& one : study.suspicions) json["suspicions"].push_back(to_json(one, names));
  json["consensuses"] = Json::array();
  for (const ConsensusStudy& one : study.consensuses)
    json["consensuses"].push_back(consensus_json(names, reduction, study, one));
  add_warnings(json, run.warnings);
  json["undefined"] = Json::object();
  put(json, "positive_agreement", study.positive_agreement);
  put(json, "outlier", study.outlier_rater);
  if (study.outlier.outlier) json["outlier"] = name_of(names, *study.outlier.outlier);
  add_run(json, run, settings);
  return json;
}

Json compare_record(const RunFacts& run, const Settings& settings, const Reduction& reduction,
                    const CaseNames& names, const std::vector<MethodRow>& rows,
                    const std::vector<MethodPair>& pairs) {
  Json json = start(run, settings, reduction, names);
  json["raters"] = names.raters;
  Table methods = methods_table(names, reduction, rows, {run.reading, run.counting});
  if (!settings.provenance)
    for (const std::string_view time : kTimeColumns) drop_column(methods, time);
  json["methods"] = rows_json(methods, of_case(names));
  json["pairs"] = rows_json(method_pairs_table(names, reduction, rows, pairs), of_case(names));
  add_warnings(json, run.warnings);
  add_run(json, run, settings);
  return json;
}

Json review_markups(const std::vector<ReviewedStructure>& structures) {
  Json lists = Json::array();
  for (const auto& [names, grid, study] : structures) lists.push_back(markup_list(*names, *grid, *study));
  return {{"@schema",
           "https://raw.githubusercontent.com/slicer/slicer/master/Modules/Loadable/Markups/Resources/Schema/"
           "markups-schema-v1.0.3.json#"},
          {"markups", std::move(lists)}};
}

Json uniqueness_json(const std::optional<Uniqueness>& found) {
  if (!found) return nullptr;
  return {{"within", kNearFactor - 1},
          {"lmsd", found->lmsd},
          {"size", found->size},
          {"smallest", found->smallest},
          {"largest", found->largest},
          {"groups", found->groups},
          {"undecided", found->undecided},
          {"undecided_voxels", found->undecided_voxels},
          {"optional_components", found->optional_components},
          {"entropy_low", found->entropy_low},
          {"entropy_high", found->entropy_high},
          {"unexamined", found->unexamined}};
}

}  // namespace crema
