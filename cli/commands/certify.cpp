// SPDX-License-Identifier: Apache-2.0
#include "raters/run/certify.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/text/certificate.h"
#include "cli/text/label_summary.h"
#include "cli/text/summary.h"
#include "crema/base/text.h"
#include "raters/open/names.h"
#include "raters/run/memory.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

/// "jaccard, dice, hamming and tversky"
std::string list_distances(bool hard) {
  std::vector<std::string_view> names;
  for (const DistanceRow& row : kDistances)
    if (row.hard == hard) names.push_back(row.name);
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string_view certify_description() {
  static const std::string text = fmt::format(
      "Measures how far any consensus of the raters, from any source, is from the best one: its LMSD (the "
      "sum over components of the mean squared distance to the raters), a proven lower bound for all "
      "consensuses, and the gap between the two.\n\n"
      "{} require a mask as CONSENSUS; {} take levels from 0 to 1. --consensus-threshold cuts CONSENSUS; "
      "--threshold "
      "and --label are for the raters.\n\n"
      "With --probabilities the raters give levels, with a bound for soergel and dice1; it also holds for "
      "jaccard and dice, since a mask is a map of levels. For tanimoto and dice2 the gap is to the best "
      "known result, without a proof. --labels takes levels of several classes, as fuse --levels writes "
      "them.",
      list_distances(true), list_distances(false));
  return text;
}

struct CertifyRequest : Request {
  std::string consensus;
  std::optional<Distance> distance;  ///< none: by what the consensus holds
};

std::string certificate_lines(const MapCertificate& certificate, Distance distance) {
  const Certified certified{certificate.lmsd, certificate.lower_bound, certificate.components.size(),
                            certificate.unproven, certificate.outside};
  std::string text = line("distance", std::string(to_string(distance)));
  if (certificate.best_known)
    return text +
           line("LMSD", fmt::format("{:.6f}, {}", certificate.lmsd,
                                    beside_best_known(certificate.lmsd, *certificate.best_known))) +
           line("best known", fmt::format("{:.6f}; no bound is known for this distance, so nothing is proven",
                                          *certificate.best_known));
  text += line("LMSD", fmt::format("{:.6f}, {}", certificate.lmsd, excess_text(certified)));
  text += line("lower bound", fmt::format("{:.6f}; {}", certificate.lower_bound, proof_text(certified)));
  return text + line("gap", gap_text(certified));
}

std::string report(const CertifyRequest& request, const raters::Case& counted, Distance distance,
                   const std::vector<MapCertificate>& certificates, double seconds) {
  std::int64_t voxels = 0, outside = 0;
  for (const MapCertificate& certificate : certificates) {
    voxels += certificate.voxels;
    outside += certificate.outside;
  }
  std::string text =
      line("consensus",
           fmt::format("{} ({}{})", files::printable(request.consensus), crema::counted(voxels, "voxel"),
                       outside > 0 ? fmt::format(", {} outside every rater", outside) : ""));
  text += summary_head(counted);
  for (std::size_t s = 0; s < certificates.size(); ++s)
    text += structure_heading(counted, s) + certificate_lines(certificates[s], distance);
  return text + line("time", fmt::format("{:.2f} s", seconds));
}

int run_certify(const CertifyRequest& request, Session& session) {
  const raters::Stopwatch watch;
  raters::check_certify(request.settings, request.distance);
  raters::ConsensusFile consensus;
  // A bound sees rater groups alone: distances inside a component need not be known.
  const raters::Case counted =
      load(request, session, {.opened = [&](const files::Header& reference) {
             consensus = raters::open_consensus(request.consensus, reference, request.settings);
             files::OutputPlan plan = plan_for(request, {request.consensus});
             add_record(plan, request);
             plan.check(request.write());
           }});
  raters::check_certify_memory(counted);
  raters::read_consensus(consensus, counted.reference.grid, request.distance, request.settings);
  append(session.warnings, consensus.warnings);
  std::vector<MapCertificate> certificates;
  for (std::size_t s = 0; s < counted.structures(); ++s)
    certificates.push_back(raters::certify(counted, s, raters::levels_of(consensus, counted, s),
                                           files::printable(request.consensus), consensus.distance,
                                           session.warnings));
  RunFacts run = facts_of(request, session, counted, {request.consensus});
  run.solving = watch.seconds() - run.reading - run.counting;
  Json::Array records;
  for (std::size_t s = 0; s < counted.structures(); ++s)
    records.push_back(certify_record(run, request.settings, counted.reduction(s), request.consensus,
                                     consensus.distance, certificates[s]));
  files::OutputSet outputs(request.write());
  deliver(request, report(request, counted, consensus.distance, certificates, watch.seconds()),
          join_records(label_names(counted), std::move(records)), outputs);
  return kOk;
}

std::string distance_choices() {
  std::string names;
  for (const Distance distance : distances())
    names += (names.empty() ? "" : "|") + std::string(to_string(distance));
  return names;
}

Run declare_certify(Parser& app) {
  auto request = std::make_shared<CertifyRequest>();
  request->settings.takes_levels = true;
  add_text_option(app, {"CONSENSUS", "CONSENSUS", "The mask or map to certify.", "Input"}, request->consensus)
      .required();
  add_raters_option(app, *request);
  add_choice_option(
      app,
      {"--distance", distance_choices(),
       "Distance between consensus and rater (default: jaccard for a mask, soergel for levels).",
       "Criterion"},
      [request = request.get()](const std::string& text) { request->distance = find_distance(text); });
  add_output_option(app, *request, "Write the certificate as a record, component by component;");
  std::vector<std::string_view> names;
  for (const Setting* setting : certify_settings())
    if (setting->group != "Input") names.push_back(setting->name);  // add_raters_option has those
  add_settings(app, request->settings, names);
  return [request](Session& session) { return run_certify(*request, session); };
}

}  // namespace

Command certify_command() {
  return {"certify",
          "Prove how far a consensus is from the best one",
          {{"how good is this mask?", "crema certify consensus.nii.gz rater-*.nii.gz"},
           {"a map of levels, cut at one half",
            "crema certify staple.nii.gz rater-*.nii.gz --consensus-threshold 0.5 --distance jaccard"},
           {"levels from elsewhere, in a soft distance",
            "crema certify levels.nii.gz rater-*.nii.gz --distance soergel"},
           {"a map of levels beside probability maps",
            "crema certify levels.nii.gz fold-*.nii.gz --probabilities --distance soergel"},
           {"with a record of every component",
            "crema certify consensus.nii.gz rater-*.nii.gz --distance dice --json certificate.json"}},
          certify_description(),
          declare_certify};
}

}  // namespace crema::cli
