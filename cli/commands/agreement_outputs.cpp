// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/agreement_outputs.h"

#include <fmt/format.h>

#include "crema/agreement/agreement_record.h"
#include "crema/agreement/maps.h"
#include "crema/error.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr MapKind kMaps[] = {MapKind::votes, MapKind::vote_entropy, MapKind::components,
                             MapKind::total_distance, MapKind::subcrowns};

bool is_markups(const std::string& path) { return path.ends_with(".mrk.json"); }

/// Maps hold numbers beyond 1, which neither a segment nor the levels of a PNG can.
std::string map_ending(const files::Header& reference) {
  const std::string ending = files::ending_of(reference);
  if (ending == ".png") return ".tif";
  return files::holds_levels("map" + ending) ? ending : ".nrrd";
}

/// The entropy and the bootstrap of each method that has them.
std::vector<std::string> names_of_own_maps(const AgreementRequest& request) {
  std::vector<std::string> names;
  for (const Method* method : request.methods) {
    if (method->kind == Kind::soft) names.push_back(fmt::format("entropy_{}", method->name));
    if (request.study.replicates > 0) names.push_back(fmt::format("inclusion_{}", method->name));
  }
  return names;
}

fs::path map_path(const AgreementRequest& request, const files::Header& reference, std::string_view name) {
  return without_slash(request.maps) / (std::string(name) + map_ending(reference));
}

void plan_maps(const AgreementRequest& request, const files::Header& reference, files::OutputPlan& plan) {
  const fs::path folder = without_slash(request.maps);
  plan.add_folder(folder);
  for (const MapKind kind : kMaps)
    plan.add_image(map_path(request, reference, to_string(kind)), reference.grid, "a map");
  for (const std::string& name : names_of_own_maps(request))
    plan.add_image(map_path(request, reference, name), reference.grid, "a map");
  plan.add_text(folder / "rows.csv", "the legend of the subcrowns");
}

Warnings put_maps(const AgreementRequest& request, const raters::Case& counted, const CaseNames& names,
                  const AgreementStudy& study, files::OutputSet& outputs) {
  const Reduction& reduction = *counted.reduction;
  Warnings warnings;
  const auto put = [&](std::string_view name, const Image& image) {
    const fs::path path = map_path(request, counted.reference, name);
    append(warnings, outputs.put_image(path, image, counted.reference));
  };
  for (const MapKind kind : kMaps) put(to_string(kind), paint_map(reduction, kind, counted.options.threads));
  for (const ConsensusStudy& one : study.consensuses) {
    if (one.evaluated.method == nullptr) continue;
    if (one.evaluated.method->kind == Kind::soft)
      put("entropy_" + one.evaluated.name, paint_entropy(reduction, one.evaluated));
    if (one.bootstrap)
      put("inclusion_" + one.evaluated.name, paint(reduction, *one.bootstrap, one.evaluated.options));
  }
  outputs.put_text(without_slash(request.maps) / "rows.csv",
                   csv_text(rows_table(names, reduction, study.consensuses)));
  return warnings;
}

void plan_review(const AgreementRequest& request, files::OutputPlan& plan) {
  if (!is_markups(request.review) && !request.review.ends_with(".csv"))
    throw UsageError(
        fmt::format("--review: {}: the list is a table or a markups file of 3D Slicer; give it a name that "
                    "ends in .csv or .mrk.json.",
                    files::printable(request.review)));
  plan.add_text(request.review, "the list of places");
}

}  // namespace

files::OutputPlan plan_agreement(const AgreementRequest& request, const files::Header& reference) {
  std::vector<std::string> more;
  if (!request.consensus.empty()) more.push_back(request.consensus);
  files::OutputPlan plan = plan_for(request, more);
  if (!request.csv.empty()) {
    const fs::path folder = without_slash(request.csv);
    plan.add_folder(folder);
    for (const char* name : {"rater_pairs.csv", "raters.csv", "components.csv"})
      plan.add_text(folder / name, "a table");
  }
  if (!request.maps.empty()) plan_maps(request, reference, plan);
  if (!request.review.empty()) plan_review(request, plan);
  add_record(plan, request);
  plan.check(request.write());
  return plan;
}

Warnings put_agreement(const AgreementRequest& request, const raters::Case& counted, const CaseNames& names,
                       const AgreementStudy& study, files::OutputSet& outputs) {
  Warnings warnings;
  if (!request.csv.empty()) {
    const fs::path folder = without_slash(request.csv);
    outputs.put_text(folder / "rater_pairs.csv", csv_text(rater_pairs_table(names, study)));
    outputs.put_text(folder / "raters.csv", csv_text(raters_table(names, study)));
    outputs.put_text(folder / "components.csv", csv_text(components_table(names, *counted.reduction, study)));
  }
  if (!request.maps.empty()) append(warnings, put_maps(request, counted, names, study, outputs));
  if (!request.review.empty()) {
    const ConsensusStudy& one = study.consensuses.front();
    outputs.put_text(request.review, is_markups(request.review)
                                         ? record_text(review_markups(names, one))
                                         : csv_text(review_table(names, *counted.reduction, one)));
  }
  return warnings;
}

}  // namespace crema::cli
