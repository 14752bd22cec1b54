// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/request.h"
#include "cli/shell/folder.h"
#include "cli/shell/output.h"
#include "cli/text/summary.h"
#include "cohort/pack/pack.h"
#include "crema/base/text.h"
#include "files/plan.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortGetDescription =
    "Copies the files of one case out of a run: its images, result.json and times.csv. In a run planned with "
    "--pack it takes them from the archives (packs/00001.tar and so on), which any tar can read, and "
    "compares checksums. For a failed case it prints the reason, with exit code 3.";

struct GetRequest {
  CohortOptions options;
  std::string name, output;
};

int run_get(const GetRequest& request) {
  const cohort::ReadyRun ready = cohort::open_settings(request.options.folder());
  const cohort::CaseFiles found = cohort::files_of_case(ready, request.name);
  const std::filesystem::path folder =
      request.output.empty() ? cohort::folder_name(request.name) : request.output;
  const files::WriteOptions options{.overwrite = request.options.force};
  files::OutputPlan plan;
  std::filesystem::path part;
  for (const std::filesystem::path& name : folder) plan.add_folder(part /= name);
  for (const auto& file : found.files) plan.add_text(folder / file.name, "a file of the case");
  plan.check(options);
  const MadeFolders made(plan.missing_folders());
  files::OutputSet outputs(options);
  for (const auto& file : found.files) outputs.put_text(folder / file.name, file.read());
  outputs.publish();
  if (!request.options.quiet)
    print_lines(line("written", fmt::format("{} in {}", counted(std::ssize(found.files), "file"),
                                            files::printable(folder))));
  return 0;
}

Run declare_cohort_get(Parser& app) {
  auto request = std::make_shared<GetRequest>();
  add_run_option(app, request->options);
  add_text_option(app, {"CASE", "CASE", "The name of the case, as in cases.csv.", "Input"}, request->name)
      .required();
  add_text_option(
      app, {"-o,--output", "DIR", "The folder to write to (default: one with the case's name).", "Output"},
      request->output);
  add_flag(app, {"--force,--overwrite", "", "Replace files that exist.", "Output"}, request->options.force);
  add_quiet_option(app, request->options);
  return [request](Session&) { return run_get(*request); };
}

}  // namespace

Command cohort_get_command() {
  return {"cohort get",
          "Copy the files of one case out of a run",
          {{"into a folder of its name", "crema cohort get results case1"},
           {"into another one", "crema cohort get results case1 -o copy"}},
          kCohortGetDescription,
          declare_cohort_get};
}

}  // namespace crema::cli
