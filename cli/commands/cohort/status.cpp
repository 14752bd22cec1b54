// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands/cohort/commands.h"
#include "cli/commands/cohort/request.h"
#include "cli/shell/exit.h"
#include "cli/shell/output.h"
#include "cli/shell/terminal.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "cohort/cluster/plan.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortStatusDescription =
    "Shows how many cases of a run are done, have failed or are still to be done, for each shard that is not "
    "finished. It looks at which files are there and disturbs no run that is at work. Exit code 5 says that "
    "cases have failed or are still to be done.";

Cells row(std::string name, const cohort::Standing& one) {
  return {std::move(name), fmt::format("{}", one.done), fmt::format("{}", one.failed),
          fmt::format("{}", one.missing)};
}

/// "12, 3 not finished, 1 with failed cases"
std::string shards_text(int shards, int unfinished, int failed) {
  std::string text = fmt::format("{}, ", shards);
  text += unfinished > 0 ? fmt::format("{} not finished", unfinished) : std::string("all finished");
  return failed > 0 ? fmt::format("{}, {} with failed cases", text, failed) : text;
}

int run_status(const CohortOptions& options) {
  const cohort::ReadyRun ready = cohort::open_run(options.folder());
  const cohort::Standing all = cohort::standing_of(ready);
  std::vector<Cells> rows{{"", "done", "failed", "to do"}, row("all", all)};
  const int shards = cohort::shards_of(ready.folder);
  std::string again;
  int unfinished = 0, failed = 0;
  for (int s = 1; s <= shards; ++s) {
    const cohort::Standing one = cohort::standing_of(cohort::open_shard(options.folder(), s));
    if (one.failed + one.missing == 0) continue;
    rows.push_back(row(fmt::format("shard {}", s), one));
    unfinished += one.missing > 0 ? 1 : 0;
    failed += one.failed > 0 ? 1 : 0;
    if (one.missing > 0) again += fmt::format("{}{}", again.empty() ? "" : ",", s);
  }
  print(table(rows, {.width = text_width(Stream::output)}));
  if (shards > 0) print_lines(line("shards", shards_text(shards, unfinished, failed)));
  if (!again.empty()) print_lines(line("to do", "shards " + again));
  return all.failed + all.missing > 0 ? kPartly : kOk;
}

Run declare_cohort_status(Parser& app) {
  auto options = std::make_shared<CohortOptions>();
  add_run_option(app, *options);
  return [options](Session&) { return run_status(*options); };
}

}  // namespace

Command cohort_status_command() {
  return {"cohort status",
          "Show the progress of a run",
          {{"how far is it?", "crema cohort status results"}},
          kCohortStatusDescription,
          declare_cohort_status};
}

}  // namespace crema::cli
