// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/cohort_request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cohort/manifest.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells which cases and raters are found in a folder or a manifest, and how the folder was understood, "
    "before anything is read or written. With --manifest it prints them as a manifest, to be edited and "
    "handed to 'crema cohort run'; paths in it start from DATA.";

int run_list(const CohortOptions& options, bool manifest, Session& session) {
  const cohort::Cohort found = cohort::find_cohort(options.where());
  append(session.warnings, found.warnings);
  if (manifest)
    cohort::write_manifest(cohort::all_cases(found), print);
  else
    print(cohort_text(found));
  std::size_t gone = 0;
  std::string first;
  for (const cohort::CohortCase& one : found.cases)
    for (const cohort::RaterFile& file : one.raters) {
      std::error_code ignored;
      if (std::filesystem::exists(cohort::path_of(found, file), ignored)) continue;
      if (gone++ == 0) first = file.path;
    }
  if (gone > 0)
    session.warnings.push_back(fmt::format("{} file{} not there, the first is {}.", gone,
                                           gone == 1 ? " is" : "s are", files::printable(first)));
  return kOk;
}

Run declare(CLI::App& app) {
  struct Request {
    CohortOptions options;
    bool manifest = false;
  };
  auto request = std::make_shared<Request>();
  take_data(app, request->options).required();
  take_flag(app, {"--manifest", "", "Print a manifest.", "Output"}, request->manifest);
  return [request](Session& session) { return run_list(request->options, request->manifest, session); };
}

}  // namespace

Command cohort_list_command() {
  return {"cohort list",
          "Tell which cases and raters a folder holds",
          {{"what is there?", "crema cohort list data"},
           {"as a manifest, to be edited", "crema cohort list data --manifest > data/cases.tsv"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
