// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/background_record.h"
#include "cli/commands/commands.h"
#include "cli/counting.h"
#include "cli/places.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/stopwatch.h"
#include "cli/text/background_text.h"
#include "cli/text/summary.h"
#include "crema/agreement/warnings.h"
#include "crema/error.h"
#include "plot/background_plot.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells how the consensus of each method depends on how much background surrounds the raters' masks: its "
    "size, soft volume and entropy in the tight bounding box, in the box with wider and wider margins, in "
    "the "
    "image as it is, and in an image padded to up to a hundred times its background.\n\n"
    "STAPLE is asked with three priors w = A/N^alpha, N being the voxels of the image: alpha = 0 is one "
    "half, "
    "alpha = 1 the mean share of the image that a rater draws, alpha = 2 the square of that. Methods that "
    "look at neighbouring voxels are left out. No image is made and no voxel read twice: the background is "
    "one number.";

struct BackgroundRequest {
  Counting counting;
  std::string picture;  ///< empty: none
  std::string record;   ///< empty: none
  bool force = false;
};

bool ends_with_svg(const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  return ending == ".svg" || ending == ".SVG";
}

/// Refuses what cannot be written before any voxel is read.
void check_places(const BackgroundRequest& request) {
  const std::vector<std::filesystem::path> inputs(request.counting.raters.begin(),
                                                  request.counting.raters.end());
  const files::WriteOptions write{.overwrite = request.force};
  if (!request.picture.empty()) {
    if (!ends_with_svg(request.picture))
      throw UsageError(fmt::format("-o: {}: the picture is an SVG file; give it a name that ends in .svg.",
                                   files::printable(request.picture)));
    check_text_output(request.picture, inputs, write);
  }
  if (request.record.empty() || request.record == "-") return;
  if (std::filesystem::path(request.record).lexically_normal() ==
      std::filesystem::path(request.picture).lexically_normal())
    throw UsageError(fmt::format("{}: cannot hold both the picture and the record; give --json another name.",
                                 files::printable(request.record)));
  check_text_output(request.record, inputs, write);
}

/// "5 raters (a.nii.gz … e.nii.gz), 96 × 96 × 48 voxels"
std::string case_name(const RaterFiles& raters) {
  const auto file_name = [](const files::Header& header) { return files::printable(header.path.filename()); };
  std::string names = file_name(raters.headers.front());
  if (raters.headers.size() > 1) names += " … " + file_name(raters.headers.back());
  return fmt::format("{} rater{} ({}), {} voxels", raters.headers.size(),
                     raters.headers.size() == 1 ? "" : "s", names,
                     fmt::join(raters.headers.front().grid.size, " × "));
}

std::string report(const RaterFiles& raters, const Reduction& reduction, const BackgroundStudy& study,
                   double seconds) {
  std::string text = summary_head(raters.headers, reduction);
  text += line("union", fmt::format("{} voxels; a rater draws {:.1f} on average", study.union_voxels,
                                    study.mean_voxels));
  text += "\n" + background_tables(study) + "\n" + background_verdict(study);
  return text + "\n" + line("time", fmt::format("{:.2f} s", seconds));
}

int run_background(const BackgroundRequest& request, Session& session) {
  const Stopwatch watch;
  Progress progress(Show::on_terminal);
  const RaterFiles raters = open_raters(request.counting);
  append(session.warnings, raters.warnings);
  check_places(request);
  const Options options = counting_options(request.counting, raters.headers.front().grid, progress);
  const Counted counted = count(raters, request.counting, Needs::distances, options, progress);
  append(session.warnings, counted.warnings);
  append(session.warnings, warnings_about_raters(counted.reduction));
  const BackgroundStudy study = study_background(counted.reduction, options);
  append(session.warnings, background_doubts(study));
  if (!request.picture.empty())
    files::write_text(request.picture, plot::background_picture(study, case_name(raters)),
                      {.overwrite = request.force});
  const std::string text = report(raters, counted.reduction, study, watch.seconds());
  const BackgroundRecord record{session.arguments, rater_names(raters), session.warnings, watch.seconds()};
  const std::string json = to_json(record, counted.reduction, study);
  if (request.record == "-") {
    say(text);
    print(json);
    return kOk;
  }
  if (!request.record.empty()) files::write_text(request.record, json, {.overwrite = request.force});
  print(text);
  return kOk;
}

Run declare(CLI::App& app) {
  auto request = std::make_shared<BackgroundRequest>();
  declare_raters(app, request->counting);
  declare_neighbourhood(app, request->counting, "Method");
  const std::string group = "Output";
  take_text(app,
            {"-o,--output", "FILE",
             "Draw size and entropy against the size of the image: one picture in a file that ends in .svg.",
             group},
            request->picture);
  take_text(app, {"--json", "FILE", "Write all numbers as a record; - is standard output.", group},
            request->record);
  take_flag(app, {"--force", "", "Replace files that exist. An input is never replaced.", group},
            request->force);
  declare_limits(app, request->counting);
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
