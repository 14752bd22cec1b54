// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/prepare.h"

#include <algorithm>

#include <fmt/format.h>

#include "cohort/find/bids.h"
#include "cohort/find/manifest.h"
#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/voxels/neighbourhood.h"
#include "files/plan.h"
#include "raters/open/segments.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// The cases that a run had, for when its data are away; nothing where it is of other data.
std::optional<Cohort> recall(const Where& where, const RunFolder& folder) {
  if (!is_run_folder(folder.path)) return std::nullopt;
  const RunRecord record = read_run(folder);
  Cohort cohort;
  cohort.location = location_of(where.data);
  cohort.layout = record.layout;
  if (line_of(data_set_of(cohort, where)) != line_of(record.data_set)) return std::nullopt;
  cohort.root = record.root;
  cohort.reason = "as the run has it";
  sort_into_cases(read_own_manifest(folder.manifest()), cohort);
  return cohort;
}

Cohort find_or_recall(const Where& where, const RunFolder& folder) {
  try {
    return find_cohort(where);
  } catch (const NothingFound& e) {
    std::optional<Cohort> before = recall(where, folder);
    if (!before) throw;
    before->warnings.push_back(
        {fmt::format("{} The results that are there stay; the cases are listed as away.",
                     e.sentence.marked()),
         WarningKind::left_out});
    return std::move(*before);
  }
}

/// "p1, p2 and 3 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 5;
  std::string text;
  for (std::size_t n = 0; n < std::min(kListed, names.size()); ++n)
    text += (n == 0 ? "" : ", ") + printable(names[n]);
  return names.size() > kListed ? fmt::format("{} and {} more", text, names.size() - kListed) : text;
}

/// Compares a cohort with the cases that the run had. A case all of whose files are others now is another one
/// of the same name: Throws UsageError unless `replace`. Warns of cases that are gone.
void compare_cases(const RunFolder& folder, Cohort& cohort, bool replace) {
  if (!is_run_folder(folder.path)) return;
  Cohort old;
  sort_into_cases(read_own_manifest(folder.manifest()), old);
  std::erase_if(old.cases, [](const CohortCase& one) { return one.raters.empty(); });
  std::vector<std::string> others, gone;
  auto before = old.cases.begin();  // both are in the order of names
  for (const CohortCase& one : cohort.cases) {
    for (; before != old.cases.end() && before->name < one.name; ++before) gone.push_back(before->name);
    if (before == old.cases.end() || before->name != one.name) continue;
    const auto known = [&](const RaterFile& file) {
      return std::any_of(before->raters.begin(), before->raters.end(),
                         [&](const RaterFile& own) { return own.path == file.path; });
    };
    if (!one.raters.empty() && std::none_of(one.raters.begin(), one.raters.end(), known))
      others.push_back(one.name);
    ++before;
  }
  for (; before != old.cases.end(); ++before) gone.push_back(before->name);
  if (!others.empty() && !replace)
    throw UsageError(
        fmt::format("{}: was computed from other files, for the cases {}; name another folder for the "
                    "results, or let their results be replaced with {}.",
                    files::printable(folder.path), listed(others), Sentence::setting("force", "True")));
  if (!gone.empty())
    cohort.warnings.push_back(
        {fmt::format("{} of the earlier run {} no longer in the data: {}. What was written of {} "
                     "stays in its folder, and is in no table.",
                     counted(gone.size(), "case"), gone.size() == 1 ? "is" : "are", listed(gone),
                     gone.size() == 1 ? "it" : "them"),
         WarningKind::left_out});
}

/// Across which axis a case would be cut on its own; nothing where its header cannot be read.
std::optional<Axis> axis_of(const Cohort& cohort, const CohortCase& one, const Settings& settings) {
  if (one.raters.empty()) return std::nullopt;
  try {
    const fs::path path = settings.like.empty() ? path_of(cohort, one.raters.front())
                                                : raters::split_input(for_case(settings.like, one.name)).file;
    return default_slice_axis(files::read_headers(path).front().grid);
  } catch (const Error&) {
    return std::nullopt;  // the case will say so
  }
}

/// Slices of all cases lie across one axis. Throws UsageError where cases would differ.
void fix_axis(const Cohort& cohort, Settings& settings) {
  if (!settings.widest_axis) return;
  std::vector<std::optional<Axis>> axes(cohort.cases.size());
  parallel_for(std::ssize(axes), [&](std::int64_t c) {
    const auto at = static_cast<std::size_t>(c);
    axes[at] = axis_of(cohort, cohort.cases[at], settings);
  });
  std::optional<std::size_t> first;
  for (std::size_t c = 0; c < axes.size(); ++c) {
    if (!axes[c]) continue;
    if (!first) first = c;
    if (axes[c] == axes[*first]) continue;
    const auto letter = [&](std::size_t at) { return "xyz"[static_cast<std::size_t>(*axes[at])]; };
    throw UsageError(
        fmt::format("Slices would lie across {} in case {} and across {} in case {}, by the largest spacing "
                    "of each; name "
                    "one axis for all cases, such as {}.",
                    letter(*first), printable(cohort.cases[*first].name), letter(c),
                    printable(cohort.cases[c].name), Sentence::setting("slice_wise", "z")));
  }
  settings.widest_axis = false;
  settings.options.slice_wise = first ? *axes[*first] : Axis::z;
}

std::vector<std::string> names_of(const std::vector<CohortCase>& cases) {
  std::vector<std::string> names;
  for (const CohortCase& one : cases) names.push_back(one.name);
  return names;
}

}  // namespace

void check_links(const ReadyRun& ready) {
  check_links(ready.folder);
  std::error_code failed;
  if (!fs::exists(ready.folder.path / "cases", failed)) return;
  if (ready.folder.fan_out > 0)
    for (const fs::path& above : ready.folder.above(names_of(ready.cohort.cases))) check_link(above);
  for (const CohortCase& one : ready.cohort.cases) check_link(ready.folder.of_case(one.name));
}

void check_outputs(const ReadyRun& ready) {
  check_links(ready);
  // A few thousand paths at a time: of millions they would take most of the memory.
  constexpr std::size_t kMaxPaths = 4096;
  std::vector<fs::path> paths;
  const auto check_paths = [&] {
    files::OutputPlan plan;
    plan.add_tree(ready.folder.path);
    for (const fs::path& path : paths) plan.add_input(path);
    plan.check({.overwrite = true});
    paths.clear();
  };
  for (const CohortCase& one : ready.cohort.cases) {
    for (const RaterFile& file : one.raters) paths.push_back(path_of(ready.cohort, file));
    if (!one.image.empty()) paths.push_back(ready.cohort.root / one.image);
    if (paths.size() >= kMaxPaths) check_paths();
    // Names of folders come from names of files here.
    if (ready.request.bids && !one.raters.empty())
      inside(ready.folder, (fs::path(bids_folder(one.raters.front().path)) / one.name).string(),
             ready.folder.manifest());
  }
  for (const std::string& path : setting_files(ready.request.settings)) paths.emplace_back(path);
  check_paths();
}

ReadyRun prepare_run(const Where& where, CohortRequest request, const fs::path& folder, bool replace) {
  ReadyRun ready;
  ready.folder.path = folder;
  ready.cohort = find_or_recall(where, ready.folder);
  ready.folder.fan_out =
      is_run_folder(folder) ? read_run(ready.folder).fan_out : fan_out_of(ready.cohort.cases.size());
  ready.request = std::move(request);
  check_missing(ready.request);
  ready.request.bids = ready.cohort.layout == Layout::bids;
  pin_files(ready.request);
  fix_axis(ready.cohort, ready.request.settings);
  ready.identity = identity_of(ready.request);
  ready.data_set = data_set_of(ready.cohort, where);
  check_folder(ready.folder, {ready.identity, ready.cohort.layout, ready.cohort.root, ready.data_set},
               replace);
  compare_cases(ready.folder, ready.cohort, replace);
  check_outputs(ready);
  return ready;
}

}  // namespace crema::cohort
