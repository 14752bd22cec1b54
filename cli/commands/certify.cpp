// SPDX-License-Identifier: Apache-2.0
#include "raters/certify.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/text/certificate.h"
#include "cli/text/summary.h"
#include "raters/memory.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells how far any consensus of the raters, wherever it comes from, is from the best one: its LMSD (the "
    "sum over components of the mean squared distance to the raters), a proven lower bound of what any "
    "consensus can reach, and the gap between the two.\n\n"
    "jaccard and dice want CONSENSUS to be a mask; soergel, tanimoto, dice1 and dice2 take levels from 0 to "
    "1. --threshold and --label are for the raters.";

struct CertifyRequest : Request {
  std::string consensus;
  std::optional<Distance> distance;  ///< none: by what the consensus holds
};

std::string report(const CertifyRequest& request, const raters::Case& counted,
                   const MapCertificate& certificate, double seconds) {
  const Certified certified{certificate.lmsd, certificate.lower_bound, certificate.components.size(),
                            certificate.unproven};
  std::string text = line(
      "consensus", fmt::format("{} ({} voxels)", files::printable(request.consensus), certificate.voxels));
  text += summary_head(counted);
  text += line("distance", std::string(to_string(*request.distance)));
  text += line("LMSD", fmt::format("{:.6f}, {}", certificate.lmsd, excess_text(certified)));
  text += line("lower bound", fmt::format("{:.6f}; {}", certificate.lower_bound, proof_text(certified)));
  const double gap = gap_of(certified);
  text += line("gap", fmt::format("{:.3g}, or {:.3g} % of the LMSD", gap,
                                  certificate.lmsd > 0 ? 100 * gap / certificate.lmsd : 0.0));
  return text + line("time", fmt::format("{:.2f} s", seconds));
}

int run_certify(CertifyRequest request, Session& session) {
  const raters::Stopwatch watch;
  raters::check_certify(request.settings);
  Progress progress(show_of(request));
  raters::RaterFiles files = open(request, session);
  raters::ConsensusFile consensus =
      raters::open_consensus(request.consensus, files.reference, request.settings);
  files::OutputPlan plan = plan_for(request, {request.consensus});
  add_record(plan, request);
  plan.check(request.write());
  // A bound sees rater groups alone: distances inside a component need not be known.
  const raters::Case counted = raters::count(raters::from_files(std::move(files)), request.settings,
                                             Needs::groups, hooks_of(progress, request.settings));
  progress.erase();
  raters::check_certify_memory(counted);
  if (!request.distance) request.distance = raters::usual_distance(consensus, request.settings);
  const std::vector<float> map =
      raters::read_consensus(consensus, counted.reference.grid, *request.distance, request.settings);
  append(session.warnings, consensus.warnings);
  append(session.warnings, counted.warnings);
  const MapCertificate certificate =
      raters::certify(counted, map, files::printable(request.consensus), *request.distance, session.warnings);
  RunFacts run = facts_of(request, session, counted, {request.consensus});
  run.solving = watch.seconds() - run.reading - run.counting;
  const Json record = certify_record(run, request.settings, *counted.reduction, request.consensus,
                                     *request.distance, certificate);
  files::OutputSet outputs(request.write());
  deliver(request, report(request, counted, certificate, watch.seconds()), record, outputs);
  return kOk;
}

std::string distance_choices() {
  std::string names;
  for (const Distance distance : distances())
    names += (names.empty() ? "" : "|") + std::string(to_string(distance));
  return names;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<CertifyRequest>();
  take_text(app, {"CONSENSUS", "CONSENSUS", "The mask or map to certify.", "Input"}, request->consensus)
      .required();
  take_raters(app, *request);
  take_choice(
      app,
      {"--distance", distance_choices(),
       "How the consensus is compared with a rater (default: jaccard for a mask, soergel for levels).",
       "Criterion"},
      [request = request.get()](const std::string& text) { request->distance = find_distance(text); });
  take_output(app, *request, "Write the certificate as a record, component by component;");
  std::vector<std::string_view> names;
  for (const Setting* setting : certify_settings())
    if (setting->group != "Input") names.push_back(setting->name);  // take_raters took those
  take_settings(app, request->settings, names);
  return [request](Session& session) { return run_certify(*request, session); };
}

}  // namespace

Command certify_command() {
  return {"certify",
          "Tell how far a consensus is from the best one",
          {{"how good is this mask?", "crema certify consensus.nii.gz rater-*.nii.gz"},
           {"levels from elsewhere, in a soft distance",
            "crema certify levels.nii.gz rater-*.nii.gz --distance soergel"},
           {"with a record of every component",
            "crema certify consensus.nii.gz rater-*.nii.gz --distance dice --json certificate.json"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
