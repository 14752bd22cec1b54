// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/terminal.h"
#include "cli/text/background_text.h"
#include "cli/text/label_summary.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "figure/case_figure.h"
#include "plot/background_plot.h"
#include "raters/open/names.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kBackgroundDescription =
    "Shows how each method's consensus depends on the background around the raters' masks: its size, soft "
    "volume and entropy in the tight bounding box, in boxes with wider margins, in the image itself, and in "
    "an image padded to up to a hundred times its background.\n\n"
    "STAPLE runs with three priors w = A/N^alpha, N being the voxels of the image: alpha = 0 is one "
    "half, "
    "alpha = 1 the mean share of the image that a rater draws, alpha = 2 the square of that. Its simpler "
    "forms run with the first two. Methods that use neighbouring voxels are left out. No image is written.";

struct BackgroundRequest : Request {
  std::string picture;  ///< empty: none
  int dpi = 300;
};

/// What the ending of the picture's name says.
std::optional<plot::Target> target_of(const BackgroundRequest& request) {
  try {
    return figure::target_of(request.picture);
  } catch (const UsageError& error) {
    throw UsageError("-o: " + error.sentence.marked());
  }
}

/// Refuses what cannot be written before any voxel is read.
void check_outputs(const BackgroundRequest& request) {
  files::OutputPlan plan = plan_for(request, {});
  if (!request.picture.empty()) {
    target_of(request);
    plan.add_text(request.picture, "the picture");
  }
  add_record(plan, request);
  plan.check(request.write());
}

std::string study_text(const BackgroundStudy& study) {
  const std::size_t width = text_width(Stream::output);
  std::string text =
      line("union", fmt::format("{}; a rater draws {:.1f} on average",
                                crema::counted(study.union_voxels, "voxel"), study.mean_voxels));
  return text + "\n" + background_tables(study, width) + "\n" + background_findings(study, width) + "\n";
}

/// The picture of each structure: with labels its label stands before the ending.
std::string picture_path(const BackgroundRequest& request, const raters::Case& counted, std::size_t s) {
  if (!counted.labelled()) return request.picture;
  std::filesystem::path path = request.picture;
  path.replace_filename(fmt::format("{}_{}{}", path.stem().string(), raters::file_label(counted, s),
                                    path.extension().string()));
  return path.string();
}

/// Their names are known once the labels are.
void check_pictures(const BackgroundRequest& request, const raters::Case& counted) {
  if (request.picture.empty()) return;
  files::OutputPlan plan = plan_for(request, {});
  for (std::size_t s = 0; s < counted.structures(); ++s)
    plan.add_text(picture_path(request, counted, s), "a picture");
  add_record(plan, request);
  plan.check(request.write());
}

int run_background(const BackgroundRequest& request, Session& session) {
  const raters::Stopwatch watch;
  const raters::Case counted =
      load(request, session,
           {.needs = Needs::distances, .opened = [&](const files::Header&) { check_outputs(request); }});
  if (counted.labelled()) check_pictures(request, counted);
  std::vector<BackgroundStudy> studies;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    studies.push_back(study_background(counted.reduction(s), counted.options));
    append(session.warnings, background_warnings(studies.back()));
  }
  RunFacts run = facts_of(request, session, counted, {});
  run.solving = watch.seconds() - run.reading - run.counting;
  files::OutputSet outputs(request.write());
  std::string text = summary_head(counted);
  Json::Array records;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    text += structure_heading(counted, s) + study_text(studies[s]);
    records.push_back(background_record(run, request.settings, counted.reduction(s), studies[s]));
    if (request.picture.empty()) continue;
    const std::string svg = plot::background_picture(studies[s], raters::title_of(counted));
    const auto target = target_of(request);
    outputs.put_text(picture_path(request, counted, s),
                     target ? plot::render(svg, *target, request.dpi) : svg);
  }
  deliver(request, text + line("time", fmt::format("{:.2f} s", watch.seconds())),
          join_records(label_names(counted), std::move(records)), outputs);
  return kOk;
}

Run declare_background(Parser& app) {
  auto request = std::make_shared<BackgroundRequest>();
  add_raters_option(app, *request);
  add_settings(app, request->settings, {"connectivity", "slice_wise"});
  add_text_option(
      app,
      {"-o,--output", "FILE",
       "Draw size and entropy against the size of the image: one picture, .svg, .png or .pdf.", "Output"},
      request->picture);
  add_number_option(app, {"--dpi", "N", "Dots per inch of a PNG (default: 300).", "Output"}, request->dpi,
                    {30, 2400});
  add_output_option(app, *request, "Write all numbers as a record;");
  add_settings(app, request->settings, {"provenance"});
  add_setting_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_background(*request, session); };
}

}  // namespace

Command background_command() {
  return {"background",
          "Show how each method depends on the background",
          {{"does the size of the image matter here?", "crema background rater-*.nii.gz"},
           {"the same as one picture", "crema background rater-*.nii.gz -o background.svg"},
           {"all numbers, for a script", "crema background rater-*.nii.gz --json background.json"}},
          kBackgroundDescription,
          declare_background};
}

}  // namespace crema::cli
