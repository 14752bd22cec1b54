// SPDX-License-Identifier: Apache-2.0
#include "raters/agreement.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands/agreement_outputs.h"
#include "cli/commands/commands.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/text/agreement_text.h"
#include "cli/text/cells.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/agreement/agreement_record.h"
#include "crema/agreement/study_settings.h"
#include "crema/error.h"
#include "raters/names.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells how well raters agree with each other and with a consensus: overlaps, positive agreement, kappa "
    "and "
    "alpha with the region they are of, surface distances in millimetres, lesion by lesion, who lies "
    "farthest "
    "from the others, and how sure the consensus is. The consensus is a file, or what methods answer "
    "(default: jaccard).\n\n"
    "'--csv DIR' writes rater_pairs.csv, raters.csv and components.csv. What is undefined, such as a surface "
    "distance to an empty mask, is an empty field there, and null with a reason in the record. "
    "docs/agreement.md has every definition.";

/// What is said to a method says nothing to a consensus that is there already.
void check_consensus(const AgreementRequest& request) {
  if (request.consensus.empty()) return;
  if (request.methods_given)
    throw UsageError("--consensus and --methods: a consensus is read or made; leave one of them out.");
  for (const Setting* setting : request.settings.given)
    if (setting->applies_to != Accept::nothing && setting->applies_to != Accept::slices)
      throw UsageError(fmt::format("{}: is for methods, but the consensus is read from a file; leave it out.",
                                   Sentence::setting(setting->name)));
  const StudyOptions& asked = request.study;
  if (asked.leave_out || asked.replicates > 0 || asked.flips || !request.review.empty())
    throw UsageError(
        "--consensus: how sure a consensus is can be told only of one that is made here; take --methods.");
}

void check_request(const AgreementRequest& request) {
  check_consensus(request);
  check_study(request.study, request.seed_given);
  if (!request.review.empty() && request.methods.size() > 1)
    throw UsageError("--review: the list is of one method; name one with --methods.");
}

std::vector<Evaluated> evaluate(const AgreementRequest& request, const raters::Case& counted,
                                std::optional<raters::ConsensusFile>& file, Session& session) {
  std::vector<Evaluated> evaluated;
  if (file) {
    const std::string name = raters::short_names({request.consensus}).front();
    evaluated.push_back(raters::evaluate_file(counted, *file, name, request.settings, session.warnings));
  } else {
    for (const Method* method : request.methods)
      evaluated.push_back(raters::evaluate_method(counted, *method, request.settings, session.warnings));
  }
  return evaluated;
}

Needs needs_of(const AgreementRequest& request) {
  if (!request.consensus.empty()) return request.maps.empty() ? Needs::groups : Needs::distances;
  return std::max(raters::needs_of(request.methods), Needs::distances);
}

int run_agreement(AgreementRequest request, Session& session) {
  const raters::Stopwatch watch;
  Progress progress(show_of(request));
  check_request(request);
  Warnings unfit;
  if (request.consensus.empty()) unfit = check(request.settings, request.methods);
  if (!request.review.empty()) request.study.review = request.places;
  request.settings.options.region = request.study.region;
  raters::RaterFiles files = open(request, session);
  std::optional<raters::ConsensusFile> consensus;
  if (!request.consensus.empty())
    consensus = raters::open_consensus(request.consensus, files.reference, request.settings);
  const files::OutputPlan plan = plan_agreement(request, files.reference);
  const raters::Case counted = raters::count(raters::from_files(std::move(files)), request.settings,
                                             needs_of(request), hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  append(session.warnings, unfit);
  append(session.warnings, raters::warnings_about_size(counted));
  const Reduction& reduction = *counted.reduction;
  const AgreementStudy study = study_agreement(reduction, evaluate(request, counted, consensus, session),
                                               request.study, counted.options.threads);
  const CaseNames names = raters::names_of(counted, request.raters, request.case_name);
  const double solved = watch.seconds();
  const MadeFolders folders(plan.missing_folders());
  files::OutputSet outputs(request.write());
  append(session.warnings, put_agreement(request, counted, names, study, outputs));
  std::vector<std::string> more;
  if (consensus) more.push_back(request.consensus);
  RunFacts run = facts_of(request, session, counted, more);
  run.solving = solved - run.reading - run.counting;
  run.writing = watch.seconds() - solved;
  const Json record =
      request.record.empty() ? Json() : agreement_record(run, request.settings, reduction, names, study);
  const std::string text = line("case", shortened(files::printable(names.name), 60)) + summary_head(counted) +
                           agreement_text(names, reduction, study) + "\n" +
                           line("time", fmt::format("{:.2f} s", watch.seconds()));
  deliver(request, text, record, outputs);
  return kOk;
}

void declare_consensus(CLI::App& app, AgreementRequest& request) {
  take_text(app,
            {"--consensus", "FILE", "Put the raters beside this mask or map instead of a method's answer.",
             "Consensus"},
            request.consensus);
  take(app,
       {"-m,--methods", method_choices(),
        "Put the raters beside what these methods answer, separated by commas (default: jaccard).",
        "Consensus"},
       [&request](const std::string& text) {
         request.methods = parse_methods(text);
         request.methods_given = true;
       });
  take_group(app, request.settings, "Method");
  take_group(app, request.settings, "Criterion");
  take_settings(app, request.settings,
                {"preset", "prior", "max_iterations", "drop_below", "coupling", "window", "softness"});
}

auto study_setter(StudyOptions& study, std::string_view name) {
  return [&study, name](const std::string& text) { set_study(study, name, text); };
}

void declare_measures(CLI::App& app, AgreementRequest& request) {
  const std::string group = "Measures";
  StudyOptions& study = request.study;
  take(app,
       {"--tolerance", "MM", "Surfaces within so many millimetres agree, for the surface Dice (default: 1).",
        group},
       study_setter(study, "tolerance"));
  take_choice(app,
              {"--hd95", std::string(kHd95Words),
               "Which 95th percentile: the larger of the two directed ones (default), of both together as "
               "MedPy has it, or by area as surface-distance has it.",
               group},
              study_setter(study, "hd95"));
  take_flag(app, {"--no-surfaces", "", "Leave surface distances out.", group}, study.surfaces, false);
  take_choice(
      app,
      {"--region", std::string(kStudyRegionWords),
       "Which voxels kappa and alpha are told of, and methods that estimate performance see: the full "
       "image (default), the raters' box or their union.",
       group},
      study_setter(study, "region"));
  take(app, {"--margin", "N", "Voxels added around the region box or union (default: 0).", group},
       study_setter(study, "margin"));
}

void declare_confidence(CLI::App& app, AgreementRequest& request) {
  const std::string group = "Confidence";
  StudyOptions& study = request.study;
  take_choice(
      app,
      {"--leave-one-out", std::string(kLeaveOutWords),
       "Leave out each rater once: with the components of all raters, or with components formed anew.",
       group},
      study_setter(study, "leave_one_out"));
  take(app, {"--bootstrap", "B", "Draw as many raters as there are, with replacement, B times.", group},
       study_setter(study, "bootstrap"));
  take(app, {"--seed", "S", "Another number draws other raters (default: 1).", group},
       [&request](const std::string& text) {
         set_study(request.study, "seed", text);
         request.seed_given = true;
       });
  take_flag(app,
            {"--flip-weights", "",
             "Find the weight of each rater at which the decision about a component turns.", group},
            study.flips);
  take_text(
      app,
      {"--review", "FILE",
       "Write where a second look pays most: .csv, or .mrk.json for 3D Slicer; in world coordinates.", group},
      request.review);
  take_whole(app, {"--places", "N", "How many places to list; 0 lists all (default: 100).", group},
             request.places, {0, 1'000'000'000});
}

void declare_files(CLI::App& app, AgreementRequest& request) {
  take_text(
      app,
      {"--csv", "DIR", "Write rater_pairs.csv, raters.csv and components.csv into this folder.", "Output"},
      request.csv);
  take_text(app,
            {"--maps", "DIR",
             "Write maps into this folder: votes, their entropy, components, total distance, subcrowns with "
             "rows.csv, the entropy of soft results, and the share of the bootstrap.",
             "Output"},
            request.maps);
  take_text(app,
            {"--case", "NAME", "What the case is called in tables (default: the raters' folder).", "Output"},
            request.case_name);
  take_output(app, request, "Write all numbers as a record;");
  take_settings(app, request.settings, {"provenance"});
  take_group(app, request.settings, "Limits");
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<AgreementRequest>();
  request->methods = {&crema::methods().front()};
  take_raters(app, *request);
  declare_consensus(app, *request);
  declare_measures(app, *request);
  declare_confidence(app, *request);
  declare_files(app, *request);
  return [request](Session& session) { return run_agreement(*request, session); };
}

}  // namespace

Command agreement_command() {
  return {
      "agreement",
      "Tell how well raters agree, and how sure a consensus is",
      {{"how well do they agree?", "crema agreement rater-*.nii.gz"},
       {"tables for a paper", "crema agreement rater-*.nii.gz --csv tables --json agreement.json"},
       {"against a consensus from elsewhere", "crema agreement rater-*.nii.gz --consensus consensus.nii.gz"},
       {"how sure is it?", "crema agreement rater-*.nii.gz --leave-one-out fixed --bootstrap 200"},
       {"where to look again, in 3D Slicer", "crema agreement rater-*.nii.gz --review places.mrk.json"},
       {"maps of votes, components and doubt", "crema agreement rater-*.nii.gz --bootstrap 200 --maps maps"}},
      kDescription,
      declare};
}

}  // namespace crema::cli
