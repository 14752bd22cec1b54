// SPDX-License-Identifier: Apache-2.0
#include "raters/run/agreement.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands/agreement_outputs.h"
#include "cli/commands/commands.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/text/agreement_text.h"
#include "cli/text/candidate_text.h"
#include "cli/text/cells.h"
#include "cli/text/label_summary.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/base/error.h"
#include "crema/records/agreement_record.h"
#include "crema/records/candidate_table.h"
#include "raters/open/names.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kAgreementDescription =
    "Measures how well raters agree with each other and with a consensus: overlaps, positive agreement, "
    "kappa "
    "and "
    "alpha with the region they are of, surface distances in millimetres, lesion by lesion, who lies "
    "farthest "
    "from the others, and how stable the consensus is. The consensus is read from a file or computed by "
    "methods (default: jaccard).\n\n"
    "'--csv DIR' writes rater_pairs.csv, raters.csv, components.csv and component_raters.csv. Undefined "
    "values, such as a surface distance to an empty mask, are empty fields there, and null with a reason in "
    "the record. "
    "docs/agreement.md has every definition.\n\n"
    "With --probabilities these describe the voxels from 0.5 up; soft Dice and Tanimoto of the levels, Brier "
    "score and calibration error are added.";

/// What is said to a method says nothing to a consensus that is there already.
void check_consensus(const AgreementRequest& request) {
  if (request.consensus.empty()) return;
  if (request.methods_given)
    throw UsageError("--consensus and --methods exclude each other; give one of them.");
  for (const Setting* setting : request.settings.given)
    if (setting->applies_to != Accept::nothing && setting->applies_to != Accept::slices &&
        setting->read_by != ReadBy::measures && setting->group != find_setting("label").group &&
        setting->group != find_setting("probabilities").group)
      throw UsageError(
          fmt::format("{}: applies to methods only, but the consensus is read from a file; leave it out.",
                      Sentence::setting(setting->name)));
  const MeasureOptions& requested = request.settings.measures;
  if (requested.leave_out || requested.replicates > 0 || requested.flips || requested.uniqueness ||
      !request.review.empty())
    throw UsageError("--consensus: stability can be measured only for a computed consensus; use --methods.");
}

void check_request(const AgreementRequest& request) {
  check_consensus(request);
  if (request.settings.consensus_threshold && request.consensus.empty() && request.candidate.empty())
    throw UsageError("--consensus-threshold requires --consensus or --candidate.");
  if (!request.review.empty() && request.settings.probabilities)
    throw UsageError("--review requires masks; cut the maps with --threshold 0.5.");
  if (!request.review.empty() && request.methods.size() > 1)
    throw UsageError("--review: the list is for one method; name one with --methods.");
}

Needs needs_of(const AgreementRequest& request) {
  if (!request.consensus.empty()) return request.maps.empty() ? Needs::groups : Needs::distances;
  return std::max(raters::needs_of(request.methods), Needs::distances);
}

/// Raters beside the consensus of each structure.
std::vector<StudiedStructure> study_all(const AgreementRequest& request, const raters::Case& counted,
                                        raters::ConsensusFile* file, Session& session) {
  std::vector<raters::Outcome> outcomes;
  if (file == nullptr) {
    outcomes = raters::solve_methods(counted, request.methods, request.settings, session.warnings);
  } else {
    raters::read_consensus(*file, counted.reference.grid, {}, request.settings);
    append(session.warnings, file->warnings);
  }
  std::vector<StudiedStructure> studied;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    std::vector<Evaluated> evaluated;
    if (file != nullptr)
      evaluated.push_back(raters::evaluate(counted, *file,
                                           raters::short_names(std::span(&request.consensus, 1)).front(), s,
                                           session.warnings));
    for (raters::Outcome& outcome : outcomes)
      evaluated.push_back(raters::evaluate(counted, std::move(outcome), s));
    studied.push_back(
        {raters::names_of(counted, s, request.raters, request.case_name),
         raters::study(counted, s, std::move(evaluated), measures_of(request.settings, counted.options))});
  }
  if (!request.candidate.empty()) {
    const raters::ConsensusFile candidate =
        raters::read_candidate(counted, request.candidate, request.settings);
    append(session.warnings, candidate.warnings);
    for (std::size_t s = 0; s < studied.size(); ++s) {
      studied[s].candidate = raters::compare_candidate(counted, candidate, s);
      append(session.warnings,
             raters::warnings_about_candidate(counted, candidate, *studied[s].candidate, s));
    }
  }
  return studied;
}

std::string text_of(const raters::Case& counted, const std::vector<StudiedStructure>& studied) {
  std::string text =
      line("case", shortened(files::printable(studied.front().names.name), 60)) + summary_head(counted);
  for (std::size_t s = 0; s < studied.size(); ++s)
    text += structure_heading(counted, s) +
            agreement_text(studied[s].names, counted.reduction(s), studied[s].study) +
            (studied[s].candidate ? candidate_text(*studied[s].candidate) : "");
  return text + "\n";
}

Json record_of(const AgreementRequest& request, const raters::Case& counted,
               const std::vector<StudiedStructure>& studied, const RunFacts& run) {
  if (request.record.empty()) return {};
  Json::Array records;
  for (std::size_t s = 0; s < studied.size(); ++s) {
    records.push_back(
        agreement_record(run, request.settings, counted.reduction(s), studied[s].names, studied[s].study));
    if (studied[s].candidate) records.back()["candidate"] = candidate_json(*studied[s].candidate);
  }
  return join_records(label_names(counted), std::move(records));
}

int run_agreement(AgreementRequest request, Session& session) {
  const raters::Stopwatch watch;
  check_request(request);
  append(session.warnings, keep_applicable(request.methods, request.settings));
  if (!request.review.empty()) request.settings.measures.review = request.places;
  const bool from_file = !request.consensus.empty();
  raters::ConsensusFile consensus;
  files::OutputPlan plan;
  Loading loading{.needs = needs_of(request), .opened = [&](const files::Header& reference) {
                    if (from_file)
                      consensus = raters::open_consensus(request.consensus, reference, request.settings);
                    plan = plan_agreement(request, reference);
                  }};
  if (!from_file) loading.methods = request.methods;
  const raters::Case counted = load(request, session, loading);
  if (counted.labelled()) plan = plan_agreement(request, counted.reference, &counted);
  append(session.warnings, raters::warnings_about_size(counted.reference));
  const std::vector<StudiedStructure> studied =
      study_all(request, counted, from_file ? &consensus : nullptr, session);
  const double solved = watch.seconds();
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet outputs(request.write());
  append(session.warnings, put_agreement(request, counted, studied, outputs));
  std::vector<std::string> more;
  for (const std::string& input : {request.consensus, request.candidate})
    if (!input.empty()) more.push_back(input);
  RunFacts run = facts_of(request, session, counted, more);
  run.solving = solved - run.reading - run.counting;
  run.writing = watch.seconds() - solved;
  deliver(request, text_of(counted, studied) + line("time", fmt::format("{:.2f} s", watch.seconds())),
          record_of(request, counted, studied, run), outputs);
  return kOk;
}

void declare_consensus(Parser& app, AgreementRequest& request) {
  add_text_option(app,
                  {"--consensus", "FILE",
                   "Compare the raters with this mask or map instead of a method's result.", "Consensus"},
                  request.consensus);
  add_text_option(
      app,
      {"--candidate", "FILE",
       "Test whether this mask, such as a network's, is as good as a rater: Williams' index.", "Consensus"},
      request.candidate);
  add_settings(app, request.settings, {"consensus_threshold"});
  take(app,
       {"-m,--methods", method_choices(),
        "Compare the raters with the results of these methods, separated by commas (default: jaccard).",
        "Consensus"},
       [&request](const std::string& text) {
         request.methods = parse_methods(text);
         request.methods_given = true;
       });
  add_setting_group(app, request.settings, "Method");
  add_setting_group(app, request.settings, "Criterion");
  add_settings(
      app, request.settings,
      {"preset", "prior", "roi", "margin", "max_iterations", "drop_below", "coupling", "window", "softness"});
}

void declare_measures(Parser& app, AgreementRequest& request) {
  const std::string group = "Confidence";
  add_setting_group(app, request.settings, "Measures");
  add_setting_group(app, request.settings, group);
  add_text_option(app,
                  {"--review", "FILE",
                   "Write the decisions for an adjudicator, most important first: .csv, or .mrk.json for 3D "
                   "Slicer; in world coordinates.",
                   group},
                  request.review);
  add_number_option(app, {"--places", "N", "Number of decisions to list; 0 lists all (default: 100).", group},
                    request.places, {0, 1'000'000'000});
}

void declare_files(Parser& app, AgreementRequest& request) {
  add_text_option(
      app,
      {"--csv", "DIR",
       "Write rater_pairs.csv, raters.csv, components.csv and component_raters.csv into this folder.",
       "Output"},
      request.csv);
  add_text_option(
      app,
      {"--maps", "DIR",
       "Write maps into this folder: votes, their entropy, components, total distance, subcrowns with "
       "rows.csv, the entropy of soft results, and the share of the bootstrap.",
       "Output"},
      request.maps);
  add_text_option(app,
                  {"--case", "NAME", "Name of the case in tables (default: the raters' folder).", "Output"},
                  request.case_name);
  add_output_option(app, request, "Write all numbers as a record;");
  add_settings(app, request.settings, {"provenance"});
  add_setting_group(app, request.settings, "Limits");
}

Run declare_agreement(Parser& app) {
  auto request = std::make_shared<AgreementRequest>();
  request->settings.measured = true;
  request->methods = {&crema::methods().front()};
  request->settings.takes_levels = true;
  add_raters_option(app, *request);
  add_setting_group(app, request->settings, "Levels");
  declare_consensus(app, *request);
  declare_measures(app, *request);
  declare_files(app, *request);
  return [request](Session& session) { return run_agreement(*request, session); };
}

}  // namespace

Command agreement_command() {
  return {
      "agreement",
      "Measure how well raters agree, and how stable a consensus is",
      {{"how well do they agree?", "crema agreement rater-*.nii.gz"},
       {"tables for a paper", "crema agreement rater-*.nii.gz --csv tables --json agreement.json"},
       {"against a consensus from elsewhere", "crema agreement rater-*.nii.gz --consensus consensus.nii.gz"},
       {"is a network as good as a rater?", "crema agreement rater-*.nii.gz --candidate network.nii.gz"},
       {"how stable is it?", "crema agreement rater-*.nii.gz --leave-one-out fixed --bootstrap 200"},
       {"what to decide, in 3D Slicer", "crema agreement rater-*.nii.gz --review decisions.mrk.json"},
       {"maps of votes, components and uncertainty",
        "crema agreement rater-*.nii.gz --bootstrap 200 --maps maps"},
       {"the folds of a network, as probability maps",
        "crema agreement fold-*.nii.gz --probabilities --leave-one-out fixed"}},
      kAgreementDescription,
      declare_agreement};
}

}  // namespace crema::cli
