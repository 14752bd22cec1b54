// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/fuse_plan.h"
#include "cli/commands/image_writer.h"
#include "cli/shell/exit.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/agreement/component_rows.h"
#include "crema/error.h"
#include "crema/parallel.h"
#include "raters/agreement.h"
#include "raters/labels.h"
#include "raters/memory.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDescription =
    "Reads one binary mask per rater, all on one grid, and writes the mask or map that agrees best with all "
    "of them. NIfTI, NRRD, MetaImage, TIFF and PNG are read and written, .npy and .npz read. The result has "
    "the geometry of the first rater.\n\n"
    "Files with several labels need --labels, which makes one label map of them, or --label, which takes one "
    "of them. The segments of a .seg.nrrd are labels by name; FILE#NAME or --segment takes one of them.\n\n"
    "With several methods, OUT is a folder: it gets one image per method, named after it, and record.json. "
    "'crema methods' tells what the methods do and whom to cite; 'crema check' tells what is wrong with a "
    "mask.\n\n"
    "The LMSD that is printed for each result is the sum over components of the mean squared distance to the "
    "raters: the smaller, the nearer to all of them. Compare it between results of the same masks in the "
    "same "
    "distance.";

std::string record_of(const FuseRequest& request, const Session& session, const raters::Case& counted,
                      const std::vector<FuseResult>& results) {
  const RunFacts run = facts_of(request, session, counted, {});
  const auto make = [&](std::size_t m) {
    const raters::Outcome& outcome = results[m].outcome;
    RunFacts own = run;
    own.solving = outcome.solving;
    own.writing = outcome.painting + results[m].writing;
    return fuse_record(
        own, request.settings, *counted.reduction,
        {outcome.solution, outcome.options, outcome.search, results[m].image.string(), outcome.threshold});
  };
  std::string text;
  with_threads(counted.options.threads, [&] { text = fuse_records_text(run, results.size(), make); });
  return text;
}

MethodRow row_of(const raters::Outcome& outcome, const raters::Case& counted, const Settings& settings) {
  const MethodResult result{&outcome.solution, &outcome.options, outcome.solving};
  return compare_methods(*counted.reduction, {result}, {}, raters::common_weights(counted, settings),
                         Shape::leave)
      .front();
}

/// Whether images may lie in memory while the next method is at work.
bool fit_beside(const raters::Case& counted, const FuseRequest& request, const Method& next) {
  const Reduction& reduction = *counted.reduction;
  std::int64_t image = 0;
  for (const Method* method : request.methods)
    image = std::max(image, raters::image_bytes(reduction, *method, request.settings));
  return next.needs != Needs::neighbours &&  // whose work takes memory, too
         counted.options.memory->allows(ImageWriter::kImages * image + raters::decision_bytes(reduction));
}

/// Solves, paints and stages method by method: nothing gets its name before all are done. Images are written
/// while the next methods are at work, and painted over where they fit.
class MethodRun {
 public:
  MethodRun(const FuseRequest& request, const raters::Case& counted, const std::vector<fs::path>& images,
            files::OutputSet& outputs, Session& session)
      : request_(request),
        counted_(counted),
        reference_(counted.reference),
        images_(images),
        session_(session),
        results_(request.methods.size()),
        written_(request.methods.size()),
        writer_(outputs, reference_, counted.options.threads > 1 && request.methods.size() > 1) {
    reference_.consensus = true;
  }

  std::vector<FuseResult> run(std::vector<raters::Outcome> solved) {
    for (std::size_t m = 0; m < results_.size(); ++m) {
      if (solved.empty()) {
        results_[m].outcome = raters::solve_method(counted_, *request_.methods[m], request_.settings);
        append(session_.warnings, results_[m].outcome.warnings);
      } else {
        results_[m].outcome = std::move(solved[m]);
      }
      if (results_.size() > 1 && !request_.quiet)  // before painting takes the image of some
        results_[m].row = row_of(results_[m].outcome, counted_, request_.settings);
      if (!images_.empty()) put_image(m);
    }
    writer_.wait();
    for (std::size_t m = 0; m < results_.size(); ++m) {
      results_[m].writing = written_[m].seconds;
      append(session_.warnings, written_[m].warnings);
    }
    return std::move(results_);
  }

 private:
  void put_image(std::size_t m) {
    raters::Outcome& outcome = results_[m].outcome;
    results_[m].image = written_[m].path = images_[m];
    writer_.wait(ImageWriter::kImages - 2);
    written_[m].image = raters::paint_outcome(counted_, outcome, canvas_for(m));
    writer_.put(written_[m]);
    const bool last = m + 1 == results_.size();
    if (last || !fit_beside(counted_, request_, *request_.methods[m + 1])) writer_.wait();
  }

  /// What was painted so long ago that it is written.
  Image canvas_for(std::size_t m) {
    constexpr std::size_t kBack = ImageWriter::kImages - 1;
    if (m < kBack) return {};
    Image canvas = std::exchange(written_[m - kBack].image, {});
    return results_[m - kBack].outcome.paintable ? std::move(canvas) : Image();
  }

  const FuseRequest& request_;
  const raters::Case& counted_;
  files::Header reference_;
  const std::vector<fs::path>& images_;
  Session& session_;
  std::vector<FuseResult> results_;
  std::vector<WrittenImage> written_;
  ImageWriter writer_;
};

/// Estimates and weights are told in the order of the raters.
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
    write(component_columns());
    for (const FuseResult& result : results)
      write_components(*counted.reduction, result.outcome.solution, write);
  });
}

/// Before the methods are asked.
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

int run_fuse(FuseRequest request, Session& session) {
  const raters::Stopwatch watch;
  session.quiet = request.quiet;
  Progress progress(show_of(request));
  const Warnings unfit = check(request.settings, request.methods);
  request.settings.offers_labels = true;
  raters::RaterFiles files = open(request, session);
  if (raters::wants_labels(request.settings) && !request.page.output.empty())
    throw UsageError("--report: a page is about one label; name it with --label instead of --labels.");
  if (raters::wants_labels(request.settings)) return run_label_fuse(request, session, files, unfit);
  const Planned planned = plan_run(request, files.reference);
  const Needs needs =
      request.page.output.empty() ? raters::needs_of(request.methods) : needs_of_page(request.methods);
  const raters::Case counted = raters::count(raters::from_files(std::move(files)), request.settings, needs,
                                             hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  append(session.warnings, unfit);
  check_memory(request, counted);
  if (!request.quiet) say(summary_head(counted, list_for(request)));
  const MadeFolders folder(planned.plan.missing_folders());
  files::OutputSet outputs(request.write());
  std::vector<raters::Outcome> solved = put_page(request, counted, outputs, session);
  const auto results = MethodRun(request, counted, planned.images, outputs, session).run(std::move(solved));
  put_components(request, counted, results, outputs);
  const std::string record = request.record.empty() ? "" : record_of(request, session, counted, results);
  if (!request.record.empty() && request.record != "-") outputs.put_text(request.record, record);
  outputs.publish();
  if (request.record == "-") print(record);
  if (!request.quiet) say(summary_methods(results, counted, watch.seconds()));
  return kOk;
}

void declare_method(CLI::App& app, FuseRequest& request) {
  const Method& usual = *request.methods.front();
  take(app,
       {"-m,--method", method_choices(),
        fmt::format("How to fuse; several separated by commas, paper for the ten of the paper, or all "
                    "(default: {}). The paper's names are understood too, such as {}.",
                    usual.name, usual.paper_name),
        "Method"},
       [&request](const std::string& text) { request.methods = parse_methods(text); });
  for (const std::string_view group : {"Method", "Labels", "Criterion", "Proof", "Estimate"})
    take_group(app, request.settings, group);
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<FuseRequest>();
  take_raters(app, *request);
  declare_method(app, *request);
  take_text(
      app,
      {"-o,--output", "OUT",
       "Where the consensus goes: a file, or a folder when there are several methods. Without it only the "
       "numbers are told.",
       "Output"},
      request->output);
  take_text(app,
            {"--components", "FILE",
             "Write a table of all components, one row each and for each method, as CSV.", "Output"},
            request->components);
  take_text(
      app,
      {"--levels", "FILE",
       "Write the levels of several labels, one map each: .nii.gz with the labels as its last axis, or .npz "
       "as nnU-Net writes it, with the background first. The labels that are highest go where -o says.",
       "Output"},
      request->levels);
  take_text(
      app,
      {"--report", "FILE", "Write a page to look at, as 'crema report' does, of the same methods.", "Output"},
      request->page.output);
  take_output(app, *request, "Write a record of the run: raters, components, criterion, warnings;");
  take_group(app, request->settings, "Output");
  take_group(app, request->settings, "Limits");
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
        "crema fuse rater-*.nii.gz -o staple.nii.gz --method staple --region box --margin 10"},
       {"how good is the heuristic here?", "crema fuse rater-*.nii.gz -o consensus.nii.gz --certify"},
       {"the best consensus there is", "crema fuse rater-*.nii.gz -o best.nii.gz --blocks group"},
       {"thick slices, one by one", "crema fuse rater-*.nii.gz -o consensus.nii.gz --slice-wise z"},
       {"label 2 of each file", "crema fuse rater-*.nii.gz -o consensus.nii.gz --label 2"},
       {"all labels at once, without overlaps", "crema fuse rater-*.nii.gz -o consensus.nii.gz --labels all"},
       {"the segments of Slicer's files, by name",
        "crema fuse rater-*.seg.nrrd -o consensus.seg.nrrd --labels liver,tumour"},
       {"the nested regions of a brain tumour",
        "crema fuse rater-*.nii.gz -o consensus.nii.gz --regions brats"}},
      kDescription,
      declare};
}

}  // namespace crema::cli
