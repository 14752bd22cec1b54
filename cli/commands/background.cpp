// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/terminal.h"
#include "cli/text/background_text.h"
#include "cli/text/summary.h"
#include "crema/error.h"
#include "plot/background_plot.h"
#include "raters/names.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells how the consensus of each method depends on how much background surrounds the raters' masks: its "
    "size, soft volume and entropy in the tight bounding box, in the box with wider and wider margins, in "
    "the "
    "image as it is, and in an image padded to up to a hundred times its background.\n\n"
    "STAPLE is asked with three priors w = A/N^alpha, N being the voxels of the image: alpha = 0 is one "
    "half, "
    "alpha = 1 the mean share of the image that a rater draws, alpha = 2 the square of that. Its simpler "
    "forms "
    "are asked with the first two. Methods that "
    "look at neighbouring voxels are left out. No image is made and no voxel read twice: the background is "
    "one number.";

struct BackgroundRequest : Request {
  std::string picture;  ///< empty: none
};

/// Refuses what cannot be written before any voxel is read.
void check_outputs(const BackgroundRequest& request) {
  files::OutputPlan plan = plan_for(request, {});
  if (!request.picture.empty()) {
    const std::string ending = std::filesystem::path(request.picture).extension().string();
    if (ending != ".svg" && ending != ".SVG")
      throw UsageError(fmt::format("-o: {}: the picture is an SVG file; give it a name that ends in .svg.",
                                   files::printable(request.picture)));
    plan.add_text(request.picture, "the picture");
  }
  add_record(plan, request);
  plan.check(request.write());
}

std::string report(const raters::Case& counted, const BackgroundStudy& study, double seconds) {
  std::string text = summary_head(counted);
  text += line("union", fmt::format("{} voxels; a rater draws {:.1f} on average", study.union_voxels,
                                    study.mean_voxels));
  const std::size_t width = text_width(Stream::output);
  text += "\n" + background_tables(study, width) + "\n" + background_findings(study, width);
  return text + "\n" + line("time", fmt::format("{:.2f} s", seconds));
}

int run_background(const BackgroundRequest& request, Session& session) {
  const raters::Stopwatch watch;
  Progress progress(show_of(request));
  raters::RaterFiles files = open(request, session);
  check_outputs(request);
  const raters::Case counted = raters::count(raters::from_files(std::move(files)), request.settings,
                                             Needs::distances, hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  const BackgroundStudy study = study_background(*counted.reduction, counted.options);
  append(session.warnings, background_warnings(study));
  files::OutputSet outputs(request.write());
  if (!request.picture.empty())
    outputs.put_text(request.picture, plot::background_picture(study, raters::title_of(counted)));
  RunFacts run = facts_of(request, session, counted, {});
  run.solving = watch.seconds() - run.reading - run.counting;
  deliver(request, report(counted, study, watch.seconds()),
          background_record(run, request.settings, *counted.reduction, study), outputs);
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<BackgroundRequest>();
  take_raters(app, *request);
  take_settings(app, request->settings, {"connectivity", "slice_wise"});
  take_text(app,
            {"-o,--output", "FILE",
             "Draw size and entropy against the size of the image: one picture in a file that ends in .svg.",
             "Output"},
            request->picture);
  take_output(app, *request, "Write all numbers as a record;");
  take_settings(app, request->settings, {"provenance"});
  take_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_background(*request, session); };
}

}  // namespace

Command background_command() {
  return {"background",
          "Show how each method depends on the background",
          {{"does the size of the image matter here?", "crema background rater-*.nii.gz"},
           {"the same as one picture", "crema background rater-*.nii.gz -o background.svg"},
           {"all numbers, for a script", "crema background rater-*.nii.gz --json background.json"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
