// SPDX-License-Identifier: Apache-2.0
#include "annotations/export.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands/annotations/shared.h"
#include "cli/commands/commands.h"
#include "cli/commands/request.h"
#include "cli/options/options.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/partly.h"
#include "cli/text/summary.h"
#include "crema/base/text.h"

namespace crema::cli {
namespace {

constexpr std::string_view kExportDescription =
    "Writes the consensus of an imported cohort as annotations that the tool imports again: a mask for each "
    "object, "
    "or for each category of a picture, as compressed runs for COCO, as a mask for CVAT and as a brush for "
    "Label "
    "Studio. RUN is the folder of 'crema cohort run' on the folder that 'crema import' wrote, which must not "
    "have moved. Levels are cut at 0.5. If some cases have no result, the others are written, with exit code "
    "5.";

struct ExportOptions {
  std::string run, output;
  annotations::ExportRequest request;
  bool quiet = false;
};

int run_export(ExportOptions& options, Session& session) {
  options.request.run = without_slash(options.run);
  options.request.output = options.output;
  const annotations::ExportReport report = annotations::export_consensus(options.request);
  session.quiet = options.quiet;
  if (!options.quiet) print_lines(export_text(report, options.output));
  if (report.missing == 0) return kOk;
  session.warnings.push_back(
      {fmt::format("{} no result and {} not in the file, such as {}; 'crema cohort run' says why.",
                   counted(static_cast<std::int64_t>(report.missing), "case has", "cases have"),
                   report.missing == 1 ? "is" : "are", printable(report.first_missing)),
       WarningKind::left_out});
  return kPartly;
}

Run declare_export(Parser& app) {
  auto options = std::make_shared<ExportOptions>();
  add_text_option(app, {"RUN", "RUN", "The folder of a run of an imported cohort.", "Input"}, options->run)
      .required();
  add_text_option(app, {"-o,--output", "FILE", "The file to write.", "Output"}, options->output).required();
  take_export_tool(app, options->request.tool);
  add_text_option(app, {"--method", "NAME", "Which method of the run (default: its first).", "Input"},
                  options->request.method);
  add_flag(app, {"--force,--overwrite", "", "Replace a file that exists.", "Output"},
           options->request.overwrite);
  add_flag(app, {"-q,--quiet", "", "Print errors only.", "Output"}, options->quiet);
  return [options](Session& session) { return run_export(*options, session); };
}

}  // namespace

Command export_command() {
  return {"export",
          "Write the consensus of an imported cohort for its annotation tool",
          {{"as it came", "crema export results -o consensus.json"},
           {"for another tool", "crema export results -o consensus.xml --as cvat"}},
          kExportDescription,
          declare_export};
}

}  // namespace crema::cli
