// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/agreement_outputs.h"

#include <fmt/format.h>

#include "cli/text/label_summary.h"
#include "crema/agreement/maps.h"
#include "crema/base/error.h"
#include "crema/records/agreement_record.h"
#include "crema/records/candidate_table.h"
#include "files/format.h"
#include "raters/open/names.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr MapKind kMaps[] = {MapKind::votes, MapKind::vote_entropy, MapKind::components,
                             MapKind::total_distance, MapKind::subcrowns};

bool is_markups(const std::string& path) { return files::ends_with(path, ".mrk.json"); }

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
    if (request.settings.measures.replicates > 0) names.push_back(fmt::format("inclusion_{}", method->name));
  }
  return names;
}

/// With labels each structure has a folder of its own.
fs::path map_folder(const AgreementRequest& request, const raters::Case* counted, std::size_t s) {
  const fs::path folder = without_slash(request.maps);
  return counted != nullptr && counted->labelled() ? folder / raters::file_label(*counted, s) : folder;
}

void plan_maps(const AgreementRequest& request, const files::Header& reference, const fs::path& folder,
               files::OutputPlan& plan) {
  plan.add_folder(folder);
  const auto add = [&](std::string_view name) {
    plan.add_image(folder / (std::string(name) + map_ending(reference)), reference.grid, "a map");
  };
  for (const MapKind kind : kMaps) add(to_string(kind));
  for (const std::string& name : names_of_own_maps(request)) add(name);
  plan.add_text(folder / "rows.csv", "the legend of the subcrowns");
}

Warnings put_maps(const AgreementRequest& request, const raters::Case& counted, std::size_t s,
                  const StudiedStructure& studied, files::OutputSet& outputs) {
  const Reduction& reduction = counted.reduction(s);
  const fs::path folder = map_folder(request, &counted, s);
  Warnings warnings;
  const auto put = [&](std::string_view name, const Image& image) {
    const fs::path path = folder / (std::string(name) + map_ending(counted.reference));
    append(warnings, outputs.put_image(path, image, counted.reference));
  };
  for (const MapKind kind : kMaps) put(to_string(kind), paint_map(reduction, kind, counted.options.threads));
  for (const ConsensusStudy& one : studied.study.consensuses) {
    if (one.evaluated.method == nullptr) continue;
    if (one.evaluated.method->kind == Kind::soft)
      put("entropy_" + one.evaluated.name, paint_entropy(reduction, one.evaluated));
    if (one.bootstrap)
      put("inclusion_" + one.evaluated.name, paint(reduction, *one.bootstrap, one.evaluated.options));
  }
  outputs.put_text(folder / "rows.csv",
                   csv_text(rows_table(studied.names, reduction, studied.study.consensuses)));
  return warnings;
}

/// Points of all structures in one file.
Json markups_of(const std::vector<StudiedStructure>& studied) {
  std::vector<ReviewedStructure> reviewed;
  for (const StudiedStructure& one : studied)
    reviewed.push_back({&one.names, &one.study.grid, &one.study.consensuses.front()});
  return review_markups(reviewed);
}

/// A table of all structures.
template <class Make>
std::string joined(const std::vector<StudiedStructure>& studied, Make make) {
  std::vector<Table> tables;
  for (std::size_t s = 0; s < studied.size(); ++s) tables.push_back(make(s));
  return csv_text(stack(std::move(tables)));
}

/// One row per structure.
std::string candidates_text(const raters::Case& counted, const std::vector<StudiedStructure>& studied) {
  std::vector<CandidateRow> rows;
  for (std::size_t s = 0; s < studied.size(); ++s)
    rows.push_back(
        {studied[s].names.name, counted.label(s), counted.reduction(s).raters, *studied[s].candidate});
  return csv_text(table_of(candidate_columns(), rows));
}

void plan_review(const AgreementRequest& request, files::OutputPlan& plan) {
  if (!is_markups(request.review) && !files::ends_with(request.review, ".csv"))
    throw UsageError(
        fmt::format("--review: {}: must end in .csv (a table) or .mrk.json (markups of 3D Slicer).",
                    files::printable(request.review)));
  plan.add_text(request.review, "the list of decisions");
}

}  // namespace

files::OutputPlan plan_agreement(const AgreementRequest& request, const files::Header& reference,
                                 const raters::Case* counted) {
  std::vector<std::string> more;
  for (const std::string& input : {request.consensus, request.candidate})
    if (!input.empty()) more.push_back(input);
  files::OutputPlan plan = plan_for(request, more);
  if (!request.csv.empty()) {
    const fs::path folder = without_slash(request.csv);
    plan.add_folder(folder);
    for (const char* name : {"rater_pairs.csv", "raters.csv", "components.csv", "component_raters.csv"})
      plan.add_text(folder / name, "a table");
    if (!request.candidate.empty()) plan.add_text(folder / "candidate.csv", "a table");
  }
  if (!request.maps.empty() && counted != nullptr) plan.add_folder(without_slash(request.maps));
  for (std::size_t s = 0; !request.maps.empty() && s < (counted == nullptr ? 1 : counted->structures()); ++s)
    plan_maps(request, reference, map_folder(request, counted, s), plan);
  if (!request.review.empty()) plan_review(request, plan);
  add_record(plan, request);
  plan.check(request.write());
  return plan;
}

Warnings put_agreement(const AgreementRequest& request, const raters::Case& counted,
                       const std::vector<StudiedStructure>& studied, files::OutputSet& outputs) {
  Warnings warnings;
  if (!request.csv.empty()) {
    const fs::path folder = without_slash(request.csv);
    const auto put = [&](const char* name, auto make) {
      outputs.put_text(folder / name, joined(studied, make));
    };
    put("rater_pairs.csv",
        [&](std::size_t s) { return rater_pairs_table(studied[s].names, studied[s].study); });
    put("raters.csv", [&](std::size_t s) { return raters_table(studied[s].names, studied[s].study); });
    if (!request.candidate.empty())
      outputs.put_text(folder / "candidate.csv", candidates_text(counted, studied));
    const auto put_pieces = [&](const char* name, auto header, auto rows) {
      outputs.put_pieces(folder / name, [&](const files::OutputSet::TakePiece& write) {
        write(header(studied.front().names));
        for (std::size_t s = 0; s < studied.size(); ++s)
          rows(studied[s].names, counted.reduction(s), studied[s].study, write);
      });
    };
    put_pieces("components.csv", components_header, write_components_table);
    put_pieces("component_raters.csv", component_raters_header, write_component_raters_table);
  }
  for (std::size_t s = 0; s < studied.size() && !request.maps.empty(); ++s)
    append(warnings, put_maps(request, counted, s, studied[s], outputs));
  if (request.review.empty()) return warnings;
  if (is_markups(request.review))
    outputs.put_text(request.review, record_text(markups_of(studied)));
  else
    outputs.put_text(request.review, joined(studied, [&](std::size_t s) {
                       return review_table(studied[s].names, counted.reduction(s),
                                           studied[s].study.consensuses.front());
                     }));
  return warnings;
}

}  // namespace crema::cli
