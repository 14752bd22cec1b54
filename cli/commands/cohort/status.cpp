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
#include "cohort/merge/merge.h"
#include "cohort/pack/pack.h"

namespace crema::cli {
namespace {

constexpr std::string_view kCohortStatusDescription =
    "Shows how many cases of a run are done, failed or pending, for each unfinished shard. It does not "
    "disturb an active run. A result that was changed since it was written counts as pending. Exit code 5 "
    "means that cases have failed or are pending.";

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

/// The shards of a plan one after the other, so that not all of its cases are held.
cohort::Standing planned_standing(cohort::ReadyRun& ready, const cohort::PlanRecord& plan,
                                  std::vector<Cells>& rows, std::string& shards) {
  cohort::Standing all;
  std::string again;
  int unfinished = 0, failed = 0;
  for (int s = 1; s <= std::ssize(plan.shards); ++s) {
    cohort::take_shard(ready, plan, s);
    const cohort::Standing one = cohort::standing_of(ready, cohort::packed_cases(ready.folder, s));
    all.done += one.done;
    all.failed += one.failed;
    all.missing += one.missing;
    if (one.failed + one.missing == 0) continue;
    rows.push_back(row(fmt::format("shard {}", s), one));
    unfinished += one.missing > 0 ? 1 : 0;
    failed += one.failed > 0 ? 1 : 0;
    if (one.missing > 0) again += fmt::format("{}{}", again.empty() ? "" : ",", s);
  }
  shards = line("shards", shards_text(static_cast<int>(plan.shards.size()), unfinished, failed));
  if (!again.empty()) shards += line("to do", "shards " + again);
  return all;
}

int run_status(const CohortOptions& options) {
  cohort::ReadyRun ready = cohort::open_settings(options.folder());
  std::vector<Cells> rows{{"", "done", "failed", "to do"}, {}};
  std::string shards;
  const std::optional<cohort::PlanRecord> plan = cohort::read_plan(ready.folder);
  const cohort::Standing all = plan ? planned_standing(ready, *plan, rows, shards)
                                    : cohort::standing_of(cohort::open_run(options.folder()));
  rows[1] = row("all", all);
  print(table(rows, {.width = text_width(Stream::output)}));
  print_lines(shards);
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
          {{"how far has it come?", "crema cohort status results"}},
          kCohortStatusDescription,
          declare_cohort_status};
}

}  // namespace crema::cli
