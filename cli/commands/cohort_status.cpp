// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort_commands.h"
#include "cli/commands/cohort_request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/terminal.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "cohort/plan.h"

namespace crema::cli {
namespace {

constexpr std::string_view kDescription =
    "Tells how many cases of a run are done, have failed or are still to be done, for each shard that is not "
    "finished. It looks at which files are there and disturbs no run that is at work. Exit code 5 says that "
    "cases have failed or are still to be done.";

Cells row(std::string name, const cohort::Standing& one) {
  return {std::move(name), fmt::format("{}", one.done), fmt::format("{}", one.failed),
          fmt::format("{}", one.missing)};
}

int run_status(const CohortOptions& options) {
  const cohort::ReadyRun ready = cohort::open_run(options.folder());
  const cohort::Standing all = cohort::standing_of(ready);
  std::vector<Cells> rows{{"", "done", "failed", "to do"}, row("all", all)};
  const int shards = cohort::shards_of(ready.folder);
  std::string again;
  for (int s = 1; s <= shards; ++s) {
    const cohort::Standing one = cohort::standing_of(cohort::open_shard(options.folder(), s));
    if (one.failed + one.missing == 0) continue;
    rows.push_back(row(fmt::format("shard {}", s), one));
    if (one.missing > 0) again += fmt::format("{}{}", again.empty() ? "" : ",", s);
  }
  print(table(rows, {.width = text_width(Stream::output)}));
  if (shards > 0) print(line("shards", fmt::format("{}, {} of them not finished", shards, rows.size() - 2)));
  if (!again.empty()) print(line("to do", "shards " + again));
  return all.failed + all.missing > 0 ? kPartly : kOk;
}

Run declare(CLI::App& app) {
  auto options = std::make_shared<CohortOptions>();
  take_run(app, *options);
  return [options](Session&) { return run_status(*options); };
}

}  // namespace

Command cohort_status_command() {
  return {"cohort status",
          "Tell how far a run has come",
          {{"how far is it?", "crema cohort status results"}},
          kDescription,
          declare};
}

}  // namespace crema::cli
