// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/request.h"
#include "cli/commands/cohort/shared.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cohort/find/manifest.h"
#include "crema/base/text.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortListDescription =
    "Lists the cases and raters in a folder or a manifest, and how the folder was interpreted, without "
    "reading or writing any image. With --manifest it prints a manifest to edit and pass to 'crema cohort "
    "run'; its paths are relative to DATA.";

int run_list(const CohortOptions& options, bool manifest, Session& session) {
  const cohort::Cohort found = cohort::find_cohort(options.where());
  append(session.warnings, found.warnings);
  if (manifest)
    cohort::write_manifest(cohort::all_cases(found), print, cohort::rater_column(found));
  else
    print_lines(cohort_text(found));
  return warn_of_unread(found, cohort::sizes_of(found), session) ? kPartly : kOk;
}

Run declare_cohort_list(Parser& app) {
  struct Request {
    CohortOptions options;
    bool manifest = false;
  };
  auto request = std::make_shared<Request>();
  add_data_option(app, request->options).required();
  add_flag(app, {"--manifest", "", "Print a manifest.", "Output"}, request->manifest);
  return [request](Session& session) { return run_list(request->options, request->manifest, session); };
}

}  // namespace

Command cohort_list_command() {
  return {"cohort list",
          "List the cases and raters of a folder",
          {{"what is there?", "crema cohort list data"},
           {"as a manifest, to be edited", "crema cohort list data --manifest > data/cases.tsv"}},
          kCohortListDescription,
          declare_cohort_list};
}

}  // namespace crema::cli
