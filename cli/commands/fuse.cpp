// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/fuse_plan.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/labels/separate.h"
#include "crema/records/component_rows.h"
#include "files/format.h"
#include "raters/run/agreement.h"
#include "raters/run/memory.h"
#include "raters/run/stopwatch.h"
#include "raters/run/write.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFuseDescription =
    "Reads one binary mask per rater, all on one grid, and writes the mask or map that agrees best with all "
    "of them. Reads and writes NIfTI, NRRD, MetaImage, TIFF, PNG and DICOM segmentations; also reads .npy, "
    ".npz and RT structure sets. The result has the geometry of the first rater.\n\n"
    "Files with several labels need --labels, which fuses them into one label map, or --label, which picks "
    "one. The segments of a .seg.nrrd are labels by name; FILE#NAME or --segment picks one.\n\n"
    "With --probabilities, probability maps are fused directly: hard methods give a mask, soft ones "
    "levels.\n\n"
    "With several methods, OUT is a folder with one image per method, named after it, and record.json. "
    "'crema methods' describes the methods and whom to cite; 'crema check' finds problems in masks.\n\n"
    "The LMSD of each result is the sum over components of the mean squared distance to the raters: lower is "
    "closer to the raters. Compare it only within one distance.";

std::string record_of(const FuseRequest& request, const Session& session, const raters::Case& counted,
                      const std::vector<FuseResult>& results) {
  const RunFacts run = facts_of(request, session, counted, {});
  const auto make = [&](std::size_t m) {
    const raters::Outcome& outcome = results[m].outcome;
    RunFacts own = run;
    own.solving = outcome.solving;
    own.writing = outcome.painting + results[m].writing;
    return fuse_record(own, request.settings, counted.counts, outcome.structures,
                       {.options = outcome.options,
                        .search = outcome.search,
                        .output = results[m].image.string(),
                        .threshold = outcome.threshold,
                        .joint = outcome.joint ? &*outcome.joint : nullptr});
  };
  std::string text;
  with_threads(counted.options.threads, [&] { text = fuse_records_text(run, results.size(), make); });
  return text;
}

/// What is reported of a method beside others, where there is one structure.
std::optional<MethodRow> row_of(const raters::Outcome& outcome, const raters::Case& counted,
                                const FuseRequest& request) {
  if (counted.labelled() || request.methods.size() == 1 || request.quiet) return {};
  const MethodResult result{&outcome.structures.front(), &outcome.options, outcome.solving};
  return compare_methods(counted.reduction(0), {result}, {},
                         raters::common_weights(counted, request.settings), Shape::leave)
      .front();
}

/// A DICOM segmentation has a segment for each label.
void name_segments(const raters::Case& counted, files::Header& reference) {
  for (std::size_t s = 0; s < counted.structures(); ++s)
    reference.segments.push_back({.name = counted.label(s),
                                  .id = std::to_string(s + 1),
                                  .colour = {},
                                  .layer = static_cast<std::int64_t>(s),
                                  .category = counted.reference.segments[s].category,
                                  .type = counted.reference.segments[s].type});
}

/// The levels of all labels in one file.
void put_levels(const FuseRequest& request, const raters::Case& counted, const raters::Outcome& outcome,
                files::OutputSet& outputs, Warnings& warnings) {
  if (request.levels.empty()) return;
  if (!files::ends_with(request.levels, ".npz")) {
    raters::Picture levels = raters::paint_levels(counted, outcome);
    if (request.fractional) name_segments(counted, levels.reference);
    levels.reference.every_slice = request.every_frame;
    append(warnings, outputs.put_image(request.levels, levels.image, levels.reference));
    return;
  }
  raters::require_levels(counted);
  const bool regions = counted.counts.nested();  // which have no background
  const SoftImage maps = level_maps(counted.counts, *outcome.joint, regions ? Rest::leave : Rest::first);
  const auto count = static_cast<std::int64_t>(counted.structures() + (regions ? 0 : 1));
  const auto& size = counted.counts.grid().size;
  const std::array<std::int64_t, 4> shape{count, size[2], size[1], size[0]};
  const auto bytes = files::encode_npz("probabilities", shape, maps);
  outputs.put_pieces(request.levels, [&](const files::OutputSet::TakePiece& write) {
    write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
}

std::vector<FuseResult> run_methods(const FuseRequest& request, const raters::Case& counted,
                                    const Planned& planned, files::OutputSet& outputs,
                                    std::vector<raters::Outcome> solved, Session& session) {
  std::vector<std::optional<MethodRow>> rows(request.methods.size());
  raters::MethodJob job{.methods = request.methods, .settings = request.settings, .images = planned.images};
  job.put = [&](const fs::path& path, const Image& image, files::Header reference) {
    reference.every_slice = request.every_frame;
    return outputs.put_image(path, image, reference);
  };
  job.solved = std::move(solved);
  Progress progress(show_of(request));
  const auto begin = [&](std::size_t m) {
    if (m < request.methods.size())
      progress.update(std::string(request.methods[m]->name),
                      static_cast<double>(m) / static_cast<double>(request.methods.size()));
  };
  job.answered = [&](std::size_t m, const raters::Outcome& outcome) {
    rows[m] = row_of(outcome, counted, request);
    put_levels(request, counted, outcome, outputs, session.warnings);
    begin(m + 1);
  };
  begin(0);
  std::vector<FuseResult> results;
  for (raters::FusedMethod& one : raters::run_methods(counted, std::move(job), session.warnings))
    results.push_back({std::move(one), std::move(rows[results.size()])});
  return results;
}

/// Estimates and weights are listed in the order of the raters.
RaterList list_for(const FuseRequest& request) {
  const auto rates = [](const Method* method) { return method->aim == Aim::performance; };
  const bool numbers =
      request.settings.search_weights || std::any_of(request.methods.begin(), request.methods.end(), rates);
  return numbers ? RaterList::numbered : RaterList::counted;
}

void put_components(const FuseRequest& request, const raters::Case& counted,
                    const std::vector<FuseResult>& results, files::OutputSet& outputs) {
  if (request.components.empty()) return;
  outputs.put_pieces(request.components, [&](const files::OutputSet::TakePiece& write) {
    write(component_columns(counted.labelled()));
    for (const FuseResult& result : results)
      for (std::size_t s = 0; s < counted.structures(); ++s)
        write_components(counted.reduction(s), result.outcome.structures[s], counted.label(s), write);
  });
}

/// Before the methods run.
void check_memory(const FuseRequest& request, const raters::Case& counted) {
  using enum raters::Afterwards::Images;
  raters::check_memory(counted, request.methods, request.settings,
                       {.images = request.output.empty() ? none : one_by_one,
                        .record = !request.record.empty() || !request.page.output.empty()});
}

/// The page is made before the images are painted, which takes those of some methods away; its methods are
/// solved all at once.
std::vector<raters::Outcome> put_page(const FuseRequest& request, const raters::Case& counted,
                                      files::OutputSet& outputs, Session& session) {
  if (request.page.output.empty()) return {};
  std::vector<raters::Outcome> solved =
      raters::solve_methods(counted, request.methods, request.settings, session.warnings);
  outputs.put_text(request.page.output, make_page(request.page, request, solved, counted, {}, session));
  return solved;
}

/// What was written beside the images and is to be looked at.
std::string beside_text(const FuseRequest& request) {
  std::string text;
  if (!request.levels.empty()) text += line("levels", files::printable(request.levels));
  if (!request.page.output.empty()) text += line("page", files::printable(request.page.output));
  return text;
}

/// Whoever has an ensemble may expect a mean.
Warnings notice_of_method(const FuseRequest& request) {
  if (!request.settings.probabilities || request.method_given) return {};
  return {{fmt::format("No --method given, so {} makes a mask; --method average gives the mean of the maps, "
                       "--method tanimoto weights them.",
                       request.methods.front()->name),
           WarningKind::output_format}};
}

int run_fuse(FuseRequest request, Session& session) {
  const raters::Stopwatch watch;
  Planned planned;
  append(session.warnings, keep_applicable(request.methods, request.settings));
  append(session.warnings, notice_of_method(request));
  const raters::Case counted =
      load(request, session,
           {.methods = request.methods,
            .needs = request.page.output.empty() ? Needs::groups : needs_of_page(request.methods),
            .opened = [&](const files::Header& reference) { planned = plan_run(request, reference); }});
  fit_to_overlaps(request, counted, planned, session.warnings);
  check_memory(request, counted);
  if (!request.quiet) say_lines(summary_head(counted, list_for(request)));
  const MadeFolders folder(planned.plan.missing_folders());
  files::OutputSet outputs(request.write());
  std::vector<raters::Outcome> solved = put_page(request, counted, outputs, session);
  const auto results = run_methods(request, counted, planned, outputs, std::move(solved), session);
  put_components(request, counted, results, outputs);
  const std::string record = request.record.empty() ? "" : record_of(request, session, counted, results);
  if (!request.record.empty() && request.record != "-") outputs.put_text(request.record, record);
  outputs.publish();
  if (request.record == "-") print(record);
  if (!request.quiet) say_lines(summary_methods(results, counted, watch.seconds()) + beside_text(request));
  return kOk;
}

void declare_method(Parser& app, FuseRequest& request) {
  const Method& usual = *request.methods.front();
  take(app,
       {"-m,--method", method_choices(),
        fmt::format("Method, or several separated by commas; paper for the ten of the paper, or all "
                    "(default: {}). The paper's names work too, such as {}.",
                    usual.name, usual.paper_name),
        "Method"},
       [&request](const std::string& text) {
         request.methods = parse_methods(text);
         request.method_given = true;
       });
  for (const std::string_view group : {"Levels", "Method", "Labels", "Criterion", "Proof", "Estimate"})
    add_setting_group(app, request.settings, group);
}

Run declare_fuse(Parser& app) {
  auto request = std::make_shared<FuseRequest>();
  request->settings.takes_levels = true;
  add_raters_option(app, *request);
  declare_method(app, *request);
  add_text_option(
      app,
      {"-o,--output", "OUT",
       "File for the consensus, or folder for several methods. Without it only the numbers are printed.",
       "Output"},
      request->output);
  add_text_option(
      app, {"--components", "FILE", "Write a CSV table with one row per component and method.", "Output"},
      request->components);
  add_text_option(app,
                  {"--levels", "FILE",
                   "Write the levels of several labels, one map each: .nii.gz with the labels as its last "
                   "axis, or .npz as nnU-Net writes it, with the background first; with --probabilities both "
                   "have the channels of the raters' maps. The label map itself goes to -o.",
                   "Output"},
                  request->levels);
  add_flag(app,
           {"--dicom-fractional", "",
            "Let a .dcm hold levels, in steps of 1/255: a FRACTIONAL segmentation, which few viewers show.",
            "Output"},
           request->fractional);
  add_flag(app,
           {"--dicom-empty-frames", "",
            "Write a frame for every slice and segment of a .dcm, including empty ones, which are otherwise "
            "left out.",
            "Output"},
           request->every_frame);
  add_text_option(app,
                  {"--report", "FILE", "Write a page of the same methods, as 'crema report' does.", "Output"},
                  request->page.output);
  add_output_option(app, *request, "Write a record of the run: raters, components, criterion, warnings;");
  add_setting_group(app, request->settings, "Output");
  add_setting_group(app, request->settings, "Limits");
  take_xml(app);
  return [request](Session& session) { return run_fuse(*request, session); };
}

}  // namespace

Command fuse_command() {
  return {
      "fuse",
      "Fuse raters' masks into a consensus",
      {{"one consensus", "crema fuse rater-*.nii.gz -o consensus.nii.gz"},
       {"with a record of the run",
        "crema fuse rater-*.nii.gz -o consensus.nii.gz --method dice --json record.json"},
       {"all methods, into a folder", "crema fuse rater-*.nii.gz -o results --method all"},
       {"a soft consensus: levels from 0 to 1",
        "crema fuse rater-*.nii.gz -o levels.nii.gz --method tanimoto"},
       {"STAPLE, as ITK and SimpleITK compute it",
        "crema fuse rater-*.nii.gz -o staple.nii.gz --method staple --preset itk"},
       {"STAPLE near the raters only",
        "crema fuse rater-*.nii.gz -o staple.nii.gz --method staple --roi box --margin 10"},
       {"how good is the heuristic here?", "crema fuse rater-*.nii.gz -o consensus.nii.gz --certify"},
       {"the best consensus", "crema fuse rater-*.nii.gz -o best.nii.gz --blocks group"},
       {"thick slices, one by one", "crema fuse rater-*.nii.gz -o consensus.nii.gz --slice-wise z"},
       {"label 2 of each file", "crema fuse rater-*.nii.gz -o consensus.nii.gz --label 2"},
       {"all labels at once, without overlaps", "crema fuse rater-*.nii.gz -o consensus.nii.gz --labels all"},
       {"the segments of Slicer's files, by name",
        "crema fuse rater-*.seg.nrrd -o consensus.seg.nrrd --labels liver,tumour"},
       {"the folds of a network, as probability maps",
        "crema fuse fold-*.nii.gz -o levels.nii.gz --method tanimoto --probabilities"},
       {"the nested regions of a brain tumour",
        "crema fuse rater-*.nii.gz -o consensus.nii.gz --regions brats"}},
      kFuseDescription,
      declare_fuse};
}

}  // namespace crema::cli
