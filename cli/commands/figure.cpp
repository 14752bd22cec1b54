// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/figure_panels.h"
#include "cli/commands/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "figure/sheet.h"
#include "raters/read/grey_image.h"
#include "raters/run/agreement.h"
#include "raters/run/stopwatch.h"

namespace crema::cli {
namespace {

constexpr std::string_view kFigureDescription =
    "Draws one slice of the raters' masks, to scale, with a scale bar, the position of the slice and a "
    "legend "
    "that names the raters by their files. Contours that coincide are set side by side, at most half a voxel "
    "from where they are. Lines differ in colour and in dashes, and can be distinguished by the "
    "colour-blind.\n\n"
    "contours: each rater's contour, how many raters marked each voxel, and the consensus. votes: how many "
    "raters marked each voxel. levels: the levels of soft methods. subcrowns: the total distance of each "
    "voxel to the raters, and where subcrowns end. distances: how far each voxel is from each rater. "
    "construction: masks, these distances, the total distance, and subcrowns in colours. iteration: the "
    "subcrowns that the shrinking pass of jaccard or dice tried, one after the other. trace: the criterion "
    "along the shrinking and the growing pass. The last four show the component with most voxels on the "
    "slice.\n\n"
    "With several methods there is one panel for each, with one legend. --panel gives each panel its own "
    "method, settings and kind, and may draw several methods in one panel. Several labels have one panel "
    "each, with the consensus in the label's colour: the one in the .seg.nrrd, or one of a list. By default "
    "the slice is the one with most disagreement between pairs of raters among those that the consensus "
    "meets, across the axis of the largest spacing. Where a file states the patient's orientation, anterior "
    "or superior is at the top and the patient's right on the left.";

struct FigureRequest : Request {
  figure::Request picture;
  std::string output;
  std::string image;                ///< empty: none
  std::vector<std::string> panels;  ///< as typed; empty: one figure
  int dpi = 300;
};

std::optional<plot::Target> target_of(const FigureRequest& request) {
  try {
    return figure::target_of(request.output);
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

std::string report(const FigureRequest& request, const std::string& shown, double seconds) {
  return line("figure", shown) +
         line("written", fmt::format("{} in {:.2f} s", files::printable(request.output), seconds));
}

/// The panels that were requested, or one that stands for the whole figure.
std::vector<FigurePanel> panels_of(const FigureRequest& request, Session& session) {
  FigurePanel common{request.picture, request.settings};
  common.picture.image = !request.image.empty();
  std::vector<FigurePanel> panels;
  for (const std::string& text : request.panels) panels.push_back(parse_panel(text, common));
  if (panels.empty()) {
    append(session.warnings, keep_applicable(common.picture.methods, common.settings));
    figure::complete(common.picture, common.settings);
    panels.push_back(common);
  }
  for (FigurePanel& panel : panels) panel.settings.offers_image = true;
  return panels;
}

/// Panels that are drawn from the same counts; those that have a consensus come first, since it chooses the
/// slice.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<FigurePanel>& panels) {
  std::vector<std::vector<std::size_t>> groups;
  for (const bool consensus : {true, false})
    for (std::size_t n = 0; n < panels.size(); ++n) {
      if (panels[n].picture.methods.empty() == consensus) continue;
      const auto same = [&](const std::vector<std::size_t>& group) {
        return same_settings(panels[group.front()].settings, panels[n].settings);
      };
      const auto found = std::find_if(groups.begin(), groups.end(), same);
      if (found == groups.end())
        groups.push_back({n});
      else
        found->push_back(n);
    }
  return groups;
}

/// What is said of the same files twice is said once.
void drop_repeats(Warnings& warnings) {
  Warnings kept;
  for (Warning& warning : warnings) {
    const auto same = [&](const Warning& other) { return other.marked() == warning.marked(); };
    if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(std::move(warning));
  }
  warnings = std::move(kept);
}

/// What the first look at the files settles.
struct Opened {
  std::optional<plot::Target> target;
  figure::Wanted wanted;
  std::optional<raters::GreyFile> image;
  Grid grid;
  bool done = false;

  void open(const FigureRequest& request, const files::Header& reference) {
    if (std::exchange(done, true)) return;
    grid = reference.grid;
    target = target_of(request);
    check_output(request);
    wanted = parse_wanted(request.picture, reference.grid);
    if (!request.image.empty()) image = raters::open_grey(request.image, reference, request.settings);
  }
};

/// Loads the raters as one group of panels wants them, and adds these.
std::string add_group(const FigureRequest& request, const std::vector<FigurePanel>& panels,
                      const std::vector<std::size_t>& group, Opened& opened, figure::Sheet& sheet,
                      Session& session) {
  FigureRequest own = request;
  own.settings = panels[group.front()].settings;
  Loading loading;
  for (const std::size_t n : group) {
    const figure::Request& picture = panels[n].picture;
    loading.methods.insert(loading.methods.end(), picture.methods.begin(), picture.methods.end());
    loading.needs = std::max(loading.needs, needs_of(picture));
  }
  loading.opened = [&](const files::Header& reference) { opened.open(request, reference); };
  const raters::Case counted = load(own, session, loading);
  for (const std::size_t n : group) {
    const figure::Request& picture = panels[n].picture;
    std::vector<raters::Outcome> outcomes;
    if (draws_answers(picture))
      outcomes = raters::solve_methods(counted, picture.methods, own.settings, session.warnings);
    sheet.add_case(picture, opened.wanted, counted, outcomes, n, session.warnings);
  }
  return summary_head(counted);
}

int run_figure(const FigureRequest& request, Session& session) {
  const raters::Stopwatch watch;
  const std::vector<FigurePanel> panels = panels_of(request, session);
  Opened opened;
  figure::Sheet sheet;
  std::string head;
  for (const std::vector<std::size_t>& group : groups_of(panels))
    head = add_group(request, panels, group, opened, sheet, session);
  raters::GreyImage grey;
  if (opened.image) grey = raters::read_grey(*opened.image, opened.grid, request.settings);
  append(session.warnings, grey.warnings);
  const figure::Drawn drawn = sheet.finish(grey.values, session.warnings);
  drop_repeats(session.warnings);
  files::OutputSet outputs(request.write());
  outputs.put_text(request.output,
                   opened.target ? plot::render(drawn.svg, *opened.target, request.dpi) : drawn.svg);
  outputs.publish();
  if (!request.quiet) print_lines(head + report(request, drawn.shown, watch.seconds()));
  return kOk;
}

void declare_picture(Parser& app, FigureRequest& request) {
  const std::string group = "Picture";
  add_choice_option(app,
                    {"--show", std::string(figure::kShown), "Kind of figure (default: contours).", group},
                    [&request](const std::string& text) { request.picture.show = text; });
  add_text_option(app,
                  {"--slice", "auto|x=N|y=N|z=N|all-components",
                   "The slice, counted from 0, or several: z=12,13 (default: auto, the one with most "
                   "disagreement among those that the consensus meets); all-components draws a panel for "
                   "each component, each on its own such slice.",
                   group},
                  request.picture.slice);
  add_text_option(app,
                  {"--image", "FILE",
                   "The image beneath the contours, on the raters' grid, or the folder of a DICOM series; "
                   "drawn in grey from its 1st to its 99th percentile.",
                   group},
                  request.image);
  add_flag(app, {"--outlines", "", "Draw every rater's contour on top of votes, levels or subcrowns.", group},
           request.picture.outlines);
  add_flag(app, {"--whole", "", "Show the whole slice, not only the part around the masks.", group},
           request.picture.whole);
  add_number_option(app, {"--dpi", "N", "Dots per inch of a PNG (default: 300).", group}, request.dpi,
                    {30, 2400});
}

Run declare_figure(Parser& app) {
  auto request = std::make_shared<FigureRequest>();
  request->settings.takes_levels = true;
  add_raters_option(app, *request);
  declare_picture(app, *request);
  const OptionRef methods =
      take(app,
           {"-m,--method,--methods", method_choices(),
            "Methods whose consensus is drawn, separated by commas (default: jaccard; for levels tanimoto, "
            "for votes and subcrowns none).",
            "Method"},
           [request](const std::string& text) { request->picture.methods = parse_methods(text); });
  take_each(app,
            {"--panel", "TEXT",
             "A panel with its own method and settings, such as \"staple --roi box\" or \"--show votes\"; "
             "methods separated by commas share the panel. Repeat it for more panels.",
             "Picture"},
            request->panels)
      .excludes(methods);
  for (const std::string_view group : {"Levels", "Method", "Criterion", "Estimate"})
    add_setting_group(app, request->settings, group);
  add_text_option(app, {"-o,--output", "FILE", "The figure: .svg, .png or .pdf.", "Output"}, request->output)
      .required();
  add_flag(app,
           {"--force,--overwrite", "", "Replace files that exist. An input is never replaced.", "Output"},
           request->force);
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, request->quiet);
  add_setting_group(app, request->settings, "Limits");
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
       {"the consensus of probability maps, with their contours at one half",
        "crema figure fold-*.nii.gz --probabilities --show levels --outlines -o levels.svg"},
       {"the same method on other terms",
        "crema figure rater-*.nii.gz --show levels --panel staple --panel 'staple --roi box' -o terms.svg"},
       {"three methods in one panel, on the votes",
        "crema figure rater-*.nii.gz --show votes --panel majority,staple,jaccard -o together.svg"},
       {"each lesion on its own slice", "crema figure rater-*.nii.gz --slice all-components -o lesions.svg"},
       {"all labels, each in its colour", "crema figure rater-*.nii.gz --labels all -o labels.svg"},
       {"how the consensus was found", "crema figure rater-*.nii.gz --show trace -o trace.svg"}},
      kFigureDescription,
      declare_figure};
}

}  // namespace crema::cli
