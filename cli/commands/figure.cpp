// SPDX-License-Identifier: Apache-2.0
#include "draw/figure.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/error.h"
#include "raters/grey_image.h"
#include "raters/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Draws one slice of the raters' masks, to scale, with a scale bar, the place of the slice and a legend "
    "that names the raters by their files. Contours that coincide are set side by side, at most half a voxel "
    "from where they are. Lines differ in colour and in dashes, and can be told apart by the "
    "colour-blind.\n\n"
    "contours: each rater's contour, how many raters marked each voxel, and the consensus. votes: how many "
    "raters marked each voxel. levels: the levels of soft methods. subcrowns: the total distance of each "
    "voxel to the raters, and where subcrowns end. trace: the criterion along the shrinking and the growing "
    "pass of jaccard or dice, for the component of which the slice shows most.\n\n"
    "With several methods there is one panel for each, with one legend. The slice that is drawn unless one "
    "is "
    "named is the one on which most pairs of raters disagree, across the axis of the largest spacing. Where "
    "a "
    "file says how the patient lies, anterior or superior is above and the patient's right on the left.";

struct FigureRequest : Request {
  draw::Request picture;
  std::string output;
  std::string image;  ///< empty: none
  int dpi = 300;
};

std::optional<plot::Target> target_of(const FigureRequest& request) {
  try {
    return draw::target_of(request.output);
  } catch (const UsageError& error) {
    throw UsageError("-o: " + error.sentence.marked());
  }
}

void check_output(const FigureRequest& request) {
  files::OutputPlan plan =
      plan_for(request, request.image.empty() ? std::vector<std::string>{} : std::vector{request.image});
  plan.add_text(request.output, "the figure");
  plan.check(request.write());
}

std::vector<draw::Answered> ask(const FigureRequest& request, const raters::Case& counted,
                                Warnings& warnings) {
  std::vector<draw::Answered> answers;
  if (!draws_answers(request.picture)) return answers;
  for (const Method* method : request.picture.methods)
    answers.push_back(draw::ask(counted, *method, request.settings, warnings));
  return answers;
}

std::string report(const FigureRequest& request, const raters::Case& counted, const std::string& shown,
                   double seconds) {
  return summary_head(counted) + line("figure", shown) +
         line("written", fmt::format("{} in {:.2f} s", files::printable(request.output), seconds));
}

int run_figure(FigureRequest request, Session& session) {
  const raters::Stopwatch watch;
  draw::Request& picture = request.picture;
  picture.image = !request.image.empty();
  request.settings.gap = false;  // it is not drawn
  draw::complete(picture, request.settings);
  const Warnings unfit = check(request.settings, picture.methods);
  Progress progress(show_of(request));
  raters::RaterFiles files = open(request, session);
  const std::optional<plot::Target> target = target_of(request);
  check_output(request);
  const draw::Wanted wanted = parse_wanted(picture, files.reference.grid);
  std::optional<raters::GreyFile> image;
  if (picture.image) image = raters::open_grey(request.image, files.reference, request.settings);
  const raters::Case counted = raters::count(raters::from_files(std::move(files)), request.settings,
                                             needs_of(picture), hooks_of(progress, request.settings));
  progress.erase();
  append(session.warnings, counted.warnings);
  append(session.warnings, unfit);
  const std::vector<draw::Answered> answers = ask(request, counted, session.warnings);
  raters::GreyImage grey;
  if (image) grey = raters::read_grey(*image, counted.reference.grid, request.settings);
  append(session.warnings, grey.warnings);
  const draw::Drawn drawn = draw::draw(picture, wanted, counted, answers, grey.values, session.warnings);
  files::OutputSet outputs(request.write());
  outputs.put_text(request.output, target ? plot::render(drawn.svg, *target, request.dpi) : drawn.svg);
  outputs.publish();
  if (!request.quiet) print(report(request, counted, drawn.shown, watch.seconds()));
  return kOk;
}

void declare_picture(CLI::App& app, FigureRequest& request) {
  const std::string group = "Picture";
  take_choice(app, {"--show", std::string(draw::kShown), "What is drawn (default: contours).", group},
              [&request](const std::string& text) { request.picture.show = text; });
  take_text(
      app,
      {"--slice", "auto|x=N|y=N|z=N|all-components",
       "The slice, counted from 0 (default: auto, the one with most disagreement); all-components draws "
       "a panel for each component, on its own such slice.",
       group},
      request.picture.slice);
  take_text(app,
            {"--image", "FILE",
             "The image that the raters looked at, on their grid; drawn in grey beneath, from its 1st to its "
             "99th percentile.",
             group},
            request.image);
  take_flag(app, {"--whole", "", "Show the whole slice, not only the part around what raters drew.", group},
            request.picture.whole);
  take_whole(app, {"--dpi", "N", "Dots per inch of a PNG (default: 300).", group}, request.dpi, {30, 2400});
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<FigureRequest>();
  take_raters(app, *request);
  declare_picture(app, *request);
  take(app,
       {"-m,--method,--methods", method_choices(),
        "Whose consensus is drawn; several separated by commas (default: jaccard; for levels tanimoto, for "
        "votes and subcrowns none).",
        "Method"},
       [request](const std::string& text) { request->picture.methods = parse_methods(text); });
  for (const std::string_view group : {"Method", "Criterion", "Estimate"})
    take_group(app, request->settings, group);
  take_text(app, {"-o,--output", "FILE", "The figure: .svg, .png or .pdf.", "Output"}, request->output)
      .required();
  take_flag(app,
            {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", "Output"},
            request->force);
  take_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, request->quiet);
  take_group(app, request->settings, "Limits");
  return [request](Session& session) { return run_figure(*request, session); };
}

}  // namespace

Command figure_command() {
  return {
      "figure",
      "Draw raters' contours, votes, levels or subcrowns to scale",
      {{"contours and consensus, on the slice with most disagreement",
        "crema figure rater-*.nii.gz -o figure.svg"},
       {"over the image, as PNG for a slide",
        "crema figure rater-*.nii.gz --image flair.nii.gz -o figure.png"},
       {"soft methods side by side",
        "crema figure rater-*.nii.gz --show levels "
        "-m average,staple,tanimoto -o levels.pdf"},
       {"each lesion on its own slice", "crema figure rater-*.nii.gz --slice all-components -o lesions.svg"},
       {"how the consensus was found", "crema figure rater-*.nii.gz --show trace -o trace.svg"}},
      kDescription,
      declare};
}

}  // namespace crema::cli
