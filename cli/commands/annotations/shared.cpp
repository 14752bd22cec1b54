// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/annotations/shared.h"

#include <fmt/format.h>

#include "cli/options/options.h"
#include "cli/text/summary.h"
#include "crema/base/error.h"
#include "crema/base/text.h"

namespace crema::cli {

std::optional<annotations::InstanceOptions> instances_of(const MatchingOptions& options) {
  if (!options.instances && (options.given || !options.preset.empty()))
    throw UsageError("--overlap, --min-overlap, --quorum and --preset require --instances.");
  if (!options.instances) return std::nullopt;
  if (options.preset.empty()) return options.how;
  if (options.given)
    throw UsageError(
        "--preset cvat sets the overlap and the quorum; leave out --overlap, --min-overlap and --quorum.");
  return annotations::cvat_rule();
}

std::string read_text(const annotations::ImportReport& report, std::size_t files) {
  return line(
      "read",
      fmt::format("{} of {}: {}, {}, {}, {}", counted(files, "file"), report.tool->title,
                  counted(report.pictures, "picture"), counted(report.annotators, "annotator"),
                  counted(report.categories, "category", "categories"), counted(report.objects, "object")));
}

std::string export_text(const annotations::ExportReport& report, const std::string& output) {
  return line("written",
              fmt::format("{} ({}, {}) as {} in {}", counted(report.objects, "mask"), report.method,
                          counted(report.pictures, "picture"), report.tool->title, files::printable(output)));
}

void take_export_tool(Parser& app, const annotations::Tool*& tool) {
  add_choice_option(
      app,
      {"--as", std::string(annotations::kTools), "Tool to write for (default: the source tool).", "Output"},
      [&tool](const std::string& text) { tool = annotations::find_tool(text); });
}

void take_matching(Parser& app, MatchingOptions& options) {
  add_flag(app, {"--instances", "", "Match objects across annotators and make a case of each.", "Objects"},
           options.instances);
  add_choice_option(app,
                    {"--overlap", "iou|smaller",
                     "Overlap of two objects: their common pixels divided by their union (iou) or by the "
                     "smaller one (default: iou).",
                     "Objects"},
                    [&options](const std::string& text) {
                      options.given = true;
                      options.how.overlap =
                          text == "iou" ? annotations::Overlap::iou : annotations::Overlap::smaller;
                    });
  take(app,
       {"--min-overlap", "X", "Minimum overlap of matching objects, above 0 and at most 1 (default: 0.5).",
        "Objects"},
       [&options](const std::string& text) {
         options.given = true;
         options.how.threshold = parse_not_negative(text);
         if (!(options.how.threshold > 0 && options.how.threshold <= 1))
           throw UsageError(fmt::format("{} must be above 0 and at most 1.", text));
       });
  take(app,
       {"--quorum", "N",
        "Keep objects drawn by at least N annotators (default: more than half of those with the picture).",
        "Objects"},
       [&options](const std::string& text) {
         options.given = true;
         options.how.quorum = static_cast<int>(parse_whole(text, {1, kMaxRaters}));
       });
}

void take_matching_preset(Parser& app, MatchingOptions& options) {
  add_choice_option(app,
                    {"--preset", "cvat",
                     "CVAT's rule, for comparison: IoU of 0.4, half of the annotators, and for each object "
                     "the outline of the annotator nearest to the mean box.",
                     "Objects"},
                    [&options](const std::string& text) { options.preset = text; });
}

}  // namespace crema::cli
