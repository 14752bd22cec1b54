// SPDX-License-Identifier: Apache-2.0
#include "study/tables/runs.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "files/files.h"
#include "study/tables/run_tables.h"

namespace crema::study {
namespace {

namespace fs = std::filesystem;

/// Settings in which runs of one study may differ.
constexpr std::array<std::string_view, 8> kCompared{"blocks", "empty_test", "connectivity", "slice_wise",
                                                    "prior",  "roi",        "margin",       "gap"};

/// How much is proven changes no result.
constexpr std::array<std::string_view, 3> kProof{"certify", "budget", "budget_seconds"};

bool is_in(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What is measured of a result does not change it.
bool is_measure(std::string_view name) {
  const auto all = settings();
  return std::any_of(all.begin(), all.end(), [&](const Setting& setting) {
    return setting.name == name && setting.group == "Measures";
  });
}

std::string other_settings(const Json& identity) {
  std::string text;
  if (const auto* given = std::get_if<Json::Object>(&member(identity, "settings").value()))
    for (const Json::Member& setting : *given)
      if (!is_in(kCompared, setting.name) && !is_in(kProof, setting.name) && !is_measure(setting.name))
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", setting.name, line_of(setting.value));
  return text.empty() ? "none" : text;
}

std::string typed(const Json& value) {
  const std::string_view text = text_in(value);
  return text.empty() ? line_of(value) : std::string(text);
}

/// "liver, tumour": those that occur, a few of them.
std::string labels_of(const fs::path& folder) {
  constexpr std::size_t kListed = 12;
  TableStream cases(folder / "cases.csv");
  const std::size_t column = cases.column("label");
  std::vector<std::string> found;
  while (cases.next() && found.size() <= kListed)
    if (const std::string& label = cases.text(column); !label.empty() && !is_in(found, label))
      found.push_back(label);
  const bool more = found.size() > kListed;
  if (more) found.pop_back();
  return fmt::format("{}{}", fmt::join(found, ", "), more ? " …" : "");
}

bool has_label(const fs::path& folder, const std::string& label) {
  TableStream cases(folder / "cases.csv", label);
  const std::size_t column = cases.column("label");
  while (cases.next())
    if (cases.text(column) == label) return true;
  return false;
}

/// A study is of one label as a rule; which one must be said where there are several.
void check_label(OpenRun& run, LabelsWanted wanted) {
  const Json& settings = member(run.record.identity, "settings");
  const auto given = [&](std::string_view name) { return line_of(member(settings, name)) != "null"; };
  const fs::path& folder = run.folder.path;
  if (!given("labels") && !given("regions")) {
    if (run.label.empty()) return;
    throw UsageError(fmt::format("{}: the run is of masks, which have no labels; leave out {}.",
                                 files::printable(folder), Sentence::setting("label", run.label)));
  }
  run.every_label = run.label.empty() && wanted == LabelsWanted::every;
  if (run.every_label) return;
  if (run.label.empty())
    throw UsageError(fmt::format("{}: the run is of several labels ({}); choose one with {}.",
                                 files::printable(folder), files::printable(labels_of(folder)),
                                 Sentence::setting("label")));
  if (!has_label(folder, run.label))
    throw UsageError(fmt::format("{}: no case has it; there are {}.", Sentence::setting("label", run.label),
                                 files::printable(labels_of(folder))));
}

OpenRun open_run(const fs::path& folder, const std::string& label, LabelsWanted wanted) {
  OpenRun run{.folder = {folder}, .record = {}, .prior = {}, .label = label};
  run.record = cohort::read_run(run.folder);
  const Json& settings = member(run.record.identity, "settings");
  const Json& prior = member(settings, "prior");
  run.prior = line_of(prior) == "null" ? "mean" : typed(prior);
  run.margin = whole_in(member(settings, "margin"));
  for (const char* table : {"cases.csv", "methods.csv", "raters.csv", "component_raters.csv", "times.csv"}) {
    std::error_code ignored;
    if (!fs::exists(folder / table, ignored))
      throw InputError(fmt::format("{}: has no {}; {} makes all tables of a run.", files::printable(folder),
                                   table, Sentence::command("cohort merge --tables full")));
  }
  check_label(run, wanted);
  return run;
}

void take_case(std::vector<std::unique_ptr<RunTables>>& tables, Seen& seen, CaseFacts& facts) {
  for (std::size_t r = 0; r < tables.size(); ++r)
    seen.done[r] += tables[r]->read_case(facts, seen.variants) ? 1 : 0;
}

/// The next case of every run; throws where they are not the same.
bool next_case(std::vector<std::unique_ptr<RunTables>>& tables, const std::vector<OpenRun>& runs,
               CaseFacts& facts) {
  const bool more = tables.front()->next_case();
  for (std::size_t r = 1; r < tables.size(); ++r)
    if (tables[r]->next_case() != more || (more && tables[r]->name() != tables.front()->name()))
      throw InputError(fmt::format(
          "{} and {} are runs of different cohorts: their cases differ; give runs of the same cases.",
          files::printable(runs.front().folder.path), files::printable(runs[r].folder.path)));
  if (!more) return false;
  facts.name = tables.front()->name();
  facts.complete = tables.front()->complete();
  facts.agreement = tables.front()->positive_agreement();
  facts.kappa = tables.front()->kappa();
  return true;
}

}  // namespace

std::vector<OpenRun> open_runs(const std::vector<fs::path>& folders, const std::string& label,
                               LabelsWanted wanted) {
  std::vector<OpenRun> runs;
  for (const fs::path& folder : folders) {
    runs.push_back(open_run(folder, label, wanted));
    runs.back().number = runs.size() - 1;
    const std::string first = other_settings(runs.front().record.identity);
    const std::string other = other_settings(runs.back().record.identity);
    if (first != other)
      throw InputError(
          fmt::format("{} and {} differ in settings that no column shows ({}; {}); study them one by one.",
                      files::printable(folders.front()), files::printable(folder), first, other));
  }
  return runs;
}

Seen read_cases(const std::vector<OpenRun>& runs,
                const std::function<void(const Seen&, const CaseFacts&)>& take) {
  std::vector<std::unique_ptr<RunTables>> tables;
  for (const OpenRun& run : runs) tables.push_back(std::make_unique<RunTables>(run));
  Seen seen;
  seen.done.resize(runs.size());
  for (CaseFacts facts; next_case(tables, runs, facts); facts = {}) {
    ++seen.cases;
    take_case(tables, seen, facts);
    if (!facts.results.empty() && tables.front()->drawn()) take(seen, facts);
  }
  for (const auto& one : tables) one->check_end();
  if (std::all_of(seen.done.begin(), seen.done.end(), [](std::int64_t done) { return done == 0; }))
    throw InputError(fmt::format("{}: no case is done; {} says why.",
                                 files::printable(runs.front().folder.path),
                                 Sentence::command("cohort status")));
  return seen;
}

}  // namespace crema::study
