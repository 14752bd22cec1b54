// SPDX-License-Identifier: Apache-2.0
#include "raters/run/examine.h"

#include <algorithm>

#include "crema/base/error.h"
#include "crema/levels/level_maps.h"
#include "files/layout.h"
#include "raters/open/facts.h"
#include "raters/open/order.h"
#include "raters/open/segments.h"
#include "raters/read/levels.h"

namespace crema::raters {
namespace {

using Headers = std::vector<files::Header>;

/// Runs one step; a refusal becomes a problem. What no file is at fault for is thrown on.
template <class Step>
void attempt(std::vector<Sentence>& problems, Faults& faults, const Step& step) {
  try {
    step();
    return;
  } catch (const Cancelled&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const ResourceError& error) {
    faults.memory = true;
    problems.push_back(error.sentence);
  } catch (const FileError& error) {
    faults.disk = true;
    problems.push_back(error.sentence);
  } catch (const Error& error) {
    faults.input = true;
    problems.push_back(error.sentence);
  }
}

/// All segments of a file, unless one is named.
Headers look_into(const std::filesystem::path& path, const Settings& settings,
                  const files::ReadOptions& read) {
  Settings each = settings;
  each.segments_are_raters = !wants_labels(settings);
  return open_input(path, each, read);
}

/// One per rater in the file; one without a header when there is none to be had.
std::vector<Finding> open(const std::filesystem::path& path, const Settings& settings,
                          const files::ReadOptions& read, Faults& faults) {
  std::vector<Finding> findings;
  Finding failed{.path = path};
  attempt(failed.problems, faults, [&] {
    for (files::Header& header : look_into(path, settings, read))
      findings.push_back({.path = path, .header = std::move(header)});
  });
  if (!failed.problems.empty()) return {failed};
  return findings;
}

/// Who does not lie on the grid of the others; warnings are about those who do. Where not all of them fit
/// together, each is added to those before it that do.
Warnings lay_out_all(std::vector<Finding>& findings, const files::Header* like, Faults& faults) {
  Headers all, fit;
  for (const Finding& finding : findings)
    if (finding.header) all.push_back(*finding.header);
  if (all.empty()) return {};
  std::vector<Sentence> refused;
  attempt(refused, faults, [&] { files::lay_out(all, like); });
  for (Finding& finding : findings) {
    if (!finding.header) continue;
    fit.push_back(*finding.header);
    if (refused.empty()) continue;
    attempt(finding.problems, faults, [&] { files::lay_out(fit, like); });
    if (!finding.problems.empty()) fit.pop_back();
  }
  Warnings warnings;
  if (fit.empty()) return warnings;
  const files::Layout layout = files::lay_out(fit, like);
  for (std::size_t k = 0; k < fit.size(); ++k) {
    append(warnings, fit[k].warnings);
    append(warnings, layout.placements[k].warnings);
  }
  return warnings;
}

void read_alone(Finding& finding, const files::ReadOptions& read, bool labels, Warnings& warnings,
                Faults& faults) {
  if (!finding.header) return;
  attempt(finding.problems, faults, [&] {
    if (labels) {
      append(warnings,
             files::stream_labels(*finding.header, read, [&](std::int64_t, std::span<const Label> part) {
               finding.voxels += std::ssize(part) - std::count(part.begin(), part.end(), 0);
             }));
      return;
    }
    append(warnings, files::stream_mask(*finding.header, read, [&](std::int64_t, Mask part) {
             finding.voxels += std::count_if(part.begin(), part.end(), [](auto v) { return v != 0; });
           }));
  });
}

/// The way of a fusion, up to its counts.
void take_in(Examination& found, const std::vector<std::filesystem::path>& paths, const Settings& settings,
             const Hooks& hooks) {
  const Case counted = load({.paths = paths, .settings = settings}, hooks);
  found.warnings = counted.warnings;
  found.reading = counted.reading;
  found.counting = counted.counting;
  for (Finding& finding : found.findings) finding.voxels = 0;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    const std::vector<std::int64_t> voxels = voxels_of_raters(counted.reduction(s));
    for (std::size_t k = 0; k < found.findings.size(); ++k) {
      found.findings[k].voxels += voxels[k];
      if (counted.labelled()) found.findings[k].labels.push_back({counted.label(s), voxels[k]});
    }
  }
}

/// Voxels where the only rater's map of any class reaches that level.
std::int64_t voxels_from(const LoadedLevels& loaded, double level) {
  std::vector<Run> runs;
  for (const auto& maps : loaded.levels) {
    SparseLevels part(level);
    std::size_t at = 0;
    for (const Run& run : maps.front().runs()) {
      part.add(run.first, maps.front().values().subspan(at, static_cast<std::size_t>(run.length)));
      at += static_cast<std::size_t>(run.length);
    }
    runs.insert(runs.end(), part.runs().begin(), part.runs().end());
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  std::int64_t voxels = 0, end = 0;
  for (const Run& run : runs) {
    voxels += std::max<std::int64_t>(0, run.first + run.length - std::max(end, run.first));
    end = std::max(end, run.first + run.length);
  }
  return voxels;
}

/// Maps of levels, each read as a fusion reads it, and then all of them.
Examination examine_levels(const std::vector<std::filesystem::path>& paths, const Settings& settings,
                           const Hooks& hooks) {
  Examination found;
  for (const auto& path : paths) {
    Finding& finding = found.findings.emplace_back(Finding{.path = path});
    attempt(finding.problems, found.faults, [&] {
      const RaterFiles files = open_raters({path}, settings);
      finding.header = files.reference;
      const LoadedLevels loaded = read_levels(files, settings, thread_count(settings.options.threads), hooks);
      finding.voxels = voxels_from(loaded, 0.5);
      finding.support = voxels_from(loaded, settings.options.floor);
    });
  }
  std::vector<Sentence> together;
  attempt(together, found.faults, [&] {
    const Case counted = load({.paths = paths, .settings = settings}, hooks);
    found.warnings = counted.warnings;
    found.reading = counted.reading;
    found.counting = counted.counting;
  });
  if (found.bad() == 0) found.problems = std::move(together);
  return found;
}

std::vector<std::string> spelled_problems(const std::vector<Sentence>& problems, Spelling spelling) {
  std::vector<std::string> texts;
  for (const Sentence& problem : problems) texts.push_back(problem.text(spelling));
  return texts;
}

}  // namespace

std::size_t Examination::bad() const {
  const auto has_problems = [](const Finding& finding) { return !finding.problems.empty(); };
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), has_problems));
}

Examination examine(const std::vector<std::filesystem::path>& paths, const Settings& settings,
                    const Hooks& hooks) {
  if (settings.probabilities) return examine_levels(paths, settings, hooks);
  const files::ReadOptions read = open_options(settings);
  Examination found;
  for (const auto& path : paths)
    for (Finding& finding : open(path, settings, read, found.faults))
      found.findings.push_back(std::move(finding));
  const Warnings placed = lay_out_all(found.findings, read.like.get(), found.faults);
  std::vector<Sentence> together;
  if (found.bad() == 0) {
    attempt(together, found.faults, [&] { take_in(found, paths, settings, hooks); });
    if (together.empty()) return found;
  }
  found.warnings = placed;
  append(found.warnings, warnings_about_order(paths));
  for (Finding& finding : found.findings)
    read_alone(finding, read, wants_labels(settings), found.warnings, found.faults);
  // What one file is to blame for is reported with that file.
  if (found.bad() == 0) found.problems = std::move(together);
  return found;
}

std::vector<std::int64_t> voxels_of_raters(const Reduction& reduction) {
  std::vector<std::int64_t> voxels(static_cast<std::size_t>(reduction.raters), 0);
  for (const Crowns& crowns : reduction.crowns)
    for (const Subcrown& row : crowns.tally.rows)
      for (std::size_t k = 0; k < voxels.size(); ++k)
        if ((row.raters >> k & 1) != 0) voxels[k] += row.voxels;
  return voxels;
}

std::vector<std::int64_t> voxels_of_raters(const Case& counted) {
  std::vector<std::int64_t> voxels(counted.names.size(), 0);
  if (!counted.counts.of_levels()) {
    for (std::size_t s = 0; s < counted.structures(); ++s) {
      const std::vector<std::int64_t> own = voxels_of_raters(counted.reduction(s));
      for (std::size_t k = 0; k < voxels.size(); ++k) voxels[k] += own[k];
    }
    return voxels;
  }
  for (std::size_t k = 0; k < voxels.size(); ++k) {
    std::vector<bool> inside(static_cast<std::size_t>(counted.counts.grid().voxels()), false);
    for (const StructureCounts& own : counted.counts.structures)
      for (std::size_t p = 0; p < own.reduction.levels->parts.size(); ++p) {
        const std::span<const float> levels = own.reduction.levels->parts[p].of(static_cast<int>(k));
        for_each_in_part(own.reduction, p, [&](std::size_t voxel, std::size_t i) {
          inside[voxel] = inside[voxel] || levels[i] >= 0.5F;
        });
      }
    voxels[k] = std::count(inside.begin(), inside.end(), true);
  }
  return voxels;
}

std::string name_of(const Finding& finding) {
  return finding.header ? files::rater_name(*finding.header) : finding.path.string();
}

Json examination_record(RunFacts run, const Settings& settings, const Examination& found, Spelling spelling) {
  run.reading = found.reading;
  run.counting = found.counting;
  std::vector<std::filesystem::path> opened;
  std::vector<CheckedRater> raters;
  for (const Finding& finding : found.findings) {
    CheckedRater rater{.file = name_of(finding), .problems = spelled_problems(finding.problems, spelling)};
    if (finding.header) {
      rater.grid = finding.header->grid;
      rater.type = finding.header->type;
      rater.voxels = finding.voxels;
      if (opened.empty() || opened.back() != finding.path) opened.push_back(finding.path);
    }
    raters.push_back(std::move(rater));
  }
  if (settings.provenance) {
    run.inputs = checksums(opened);
    run.date = now();
  }
  return check_record(run, settings, raters, spelled_problems(found.problems, spelling));
}

}  // namespace crema::raters
