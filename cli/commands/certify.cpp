// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/certify_record.h"
#include "cli/commands/commands.h"
#include "cli/counting.h"
#include "cli/places.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/stopwatch.h"
#include "cli/text/summary.h"
#include "cli/text/verdict.h"
#include "cli/text/weights.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells how far any consensus of the raters, wherever it comes from, is from the best one: its LMSD (the "
    "sum over components of the mean squared distance to the raters), a proven lower bound of what any "
    "consensus can reach, and the gap between the two.\n\n"
    "jaccard and dice want CONSENSUS to be a mask; soergel, tanimoto, dice1 and dice2 take levels from 0 to "
    "1. --threshold and --label are for the raters.";

constexpr Distance kDistances[] = {Distance::jaccard,  Distance::dice,  Distance::soergel,
                                   Distance::tanimoto, Distance::dice1, Distance::dice2};

struct CertifyRequest {
  Counting counting;
  std::string consensus;
  Distance distance = Distance::jaccard;
  std::vector<double> weights;
  BudgetWish budget;
  std::string record;  ///< empty: none
  bool force = false;
};

/// The consensus among the raters.
struct Opened {
  RaterFiles raters;
  files::Header consensus;
  files::Placement placement;
};

Opened open(const CertifyRequest& request, Session& session) {
  const files::ReadOptions strict{.max_memory = request.counting.read.max_memory};
  Opened opened{{}, files::read_header(request.consensus, strict), {}};
  opened.raters = open_raters(request.counting);
  check_weights(request.weights, opened.raters.headers.size());
  opened.placement = files::place(opened.raters.headers.front(), opened.consensus);
  append(session.warnings, opened.consensus.warnings);
  append(session.warnings, opened.placement.warnings);
  append(session.warnings, opened.raters.warnings);
  if (request.record.empty() || request.record == "-") return opened;
  std::vector<std::filesystem::path> inputs(request.counting.raters.begin(), request.counting.raters.end());
  inputs.emplace_back(request.consensus);
  check_text_output(request.record, inputs, {.overwrite = request.force});
  return opened;
}

bool hard(Distance distance) { return distance == Distance::jaccard || distance == Distance::dice; }

/// The consensus on the raters' grid: a mask where the distance compares masks, a map otherwise.
std::vector<float> read_consensus(const Opened& opened, const CertifyRequest& request, Session& session) {
  const files::ReadOptions strict{.max_memory = request.counting.read.max_memory};
  const Grid& reference = opened.raters.headers.front().grid;
  if (hard(request.distance)) {
    files::MaskFile file = files::read_mask(opened.consensus, strict);
    append(session.warnings, file.warnings);
    const auto mask =
        files::apply(opened.placement, reference, opened.consensus.grid, std::move(file.voxels));
    return {mask.begin(), mask.end()};
  }
  files::MapFile file = files::read_map(opened.consensus, strict);
  append(session.warnings, file.warnings);
  return files::apply(opened.placement, reference, opened.consensus.grid, std::move(file.levels));
}

std::string report(const CertifyRequest& request, const Opened& opened, const Reduction& reduction,
                   const MapCertificate& certificate, double seconds) {
  const Verdict verdict{certificate.lmsd, certificate.lower_bound, certificate.components.size(),
                        certificate.unproven};
  std::string text = line(
      "consensus", fmt::format("{} ({} voxels)", files::printable(request.consensus), certificate.voxels));
  text += summary_head(opened.raters.headers, reduction);
  text += line("distance", std::string(to_string(request.distance)));
  text += line("LMSD", fmt::format("{:.6f}, {}", certificate.lmsd, excess_text(verdict)));
  text += line("lower bound", fmt::format("{:.6f}; {}", certificate.lower_bound, proof_text(verdict)));
  const double gap = gap_of(verdict);
  text += line("gap", fmt::format("{:.3g}, or {:.3g} % of the LMSD", gap,
                                  certificate.lmsd > 0 ? 100 * gap / certificate.lmsd : 0.0));
  return text + line("time", fmt::format("{:.2f} s", seconds));
}

void note_outside(const MapCertificate& certificate, const CertifyRequest& request, Session& session) {
  if (certificate.outside == 0) return;
  session.warnings.push_back(
      fmt::format("{}: {} of its voxels lie{} outside everything the raters drew; no criterion sees {}.",
                  files::printable(request.consensus), certificate.outside,
                  certificate.outside == 1 ? "s" : "", certificate.outside == 1 ? "it" : "them"));
}

int run_certify(const CertifyRequest& request, Session& session) {
  const Stopwatch watch;
  Progress progress(Show::on_terminal);
  const Opened opened = open(request, session);
  Options options = counting_options(request.counting, opened.raters.headers.front().grid, progress);
  options.weights = request.weights;
  options.budget = budget_of(request.budget);
  // A bound sees rater groups alone: distances inside a component need not be known.
  const Counted counted = count(opened.raters, request.counting, Needs::groups, options, progress);
  append(session.warnings, counted.warnings);
  const std::vector<float> map = read_consensus(opened, request, session);
  const MapCertificate certificate = certify_map(counted.reduction, map, request.distance, options);
  note_outside(certificate, request, session);
  const std::string text = report(request, opened, counted.reduction, certificate, watch.seconds());
  const CertifyRecord record{session.arguments, request.consensus, rater_names(opened.raters),
                             session.warnings, watch.seconds()};
  const std::string json = to_json(record, counted.reduction, request.distance, certificate, options);
  if (request.record == "-") {
    say(text);
    print(json);
    return kOk;
  }
  if (!request.record.empty()) files::write_text(request.record, json, {.overwrite = request.force});
  print(text);
  return kOk;
}

void declare_distance(CLI::App& app, CertifyRequest& request) {
  const std::string group = "Criterion";
  take_choice(app,
              {"--distance", "jaccard|dice|soergel|tanimoto|dice1|dice2",
               "How the consensus is compared with a rater (default: jaccard).", group},
              [&request](const std::string& text) {
                for (const Distance distance : kDistances)
                  if (text == to_string(distance)) request.distance = distance;
              });
  declare_neighbourhood(app, request.counting, group);
  take(app,
       {"--weights", "W1,...,WK",
        "How much each rater counts, in the order of the raters (default: all alike).", group},
       [&request](const std::string& text) { request.weights = parse_weights(text); });
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<CertifyRequest>();
  take_text(app, {"CONSENSUS", "CONSENSUS", "The mask or map to judge.", "Input"}, request->consensus)
      ->required();
  declare_raters(app, request->counting);
  declare_distance(app, *request);
  declare_budget(app, request->budget, "Proof");
  take_text(app,
            {"--json", "FILE",
             "Write the certificate as a record, component by component; - is standard output.", "Output"},
            request->record);
  take_flag(app, {"--force", "", "Replace a record that exists.", "Output"}, request->force);
  declare_limits(app, request->counting);
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
