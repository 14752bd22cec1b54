// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/one_case.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "cohort/find/bids.h"
#include "cohort/run/case_review.h"
#include "cohort/run/case_tables.h"
#include "cohort/run/known.h"
#include "files/io/system/held.h"
#include "raters/run/agreement.h"
#include "raters/run/memory.h"
#include "raters/run/write.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// A case on its way.
struct CaseResult {
  raters::Case counted;
  raters::Comparison found;
  std::vector<std::string> raters;
  Warnings warnings;
  std::vector<MethodTimes> times;  ///< per method

  [[nodiscard]] CaseNames names(const CohortCase& one) const { return {one.name, raters}; }
};

/// Sentences name inputs from the root of the cohort and outputs from the run's folder, so that they are the
/// same wherever those lie. What only ends like a name of the folder is another one.
std::string without_folder(std::string text, const fs::path& folder) {
  const std::string prefix = files::printable(folder / "");
  const auto begins_name = [&](std::size_t at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    return before == ' ' || before == '(' || before == '\'' || before == '"';
  };
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1))
    if (begins_name(at)) text.erase(at, prefix.size());
  return text;
}

std::string without_folders(const RunContext& run, std::string text) {
  return without_folder(without_folder(std::move(text), run.cohort.root), run.folder.path);
}

/// Tables hold distances to the raters, whatever the methods need.
Needs needs_of(const RunContext& run) {
  return std::max(raters::needs_of(run.request.methods), Needs::distances);
}

CaseResult run_case(const RunContext& run, const CohortCase& one, const Settings& settings) {
  CaseResult result{.counted =
                        load_case(run.cohort, run.request, one, settings, needs_of(run), {.stop = run.stop})};
  result.warnings = result.counted.warnings;
  append(result.warnings, raters::warnings_about_size(result.counted.reference));
  raters::check_memory(result.counted, run.request.methods, settings,
                       {.images = raters::Afterwards::Images::one_by_one, .record = run.request.reports});
  result.found = raters::compare(result.counted, run.request.methods, settings, result.warnings);
  result.raters = rater_names(run.cohort, one, result.counted.names);
  for (std::size_t s = 0; s < result.counted.structures(); ++s)
    if (const Reduction& reduction = result.counted.reduction(s); !lists_components(reduction))
      result.warnings.push_back(
          {fmt::format(
               "{} components are too many for components.csv and component_raters.csv, which have none of "
               "them; crema agreement --csv lists them.",
               reduction.crowns.size()),
           WarningKind::output_format});
  return result;
}

/// The tables of all structures.
CaseTables tables_of(const RunContext& run, const CohortCase& one, CaseResult& result) {
  CaseTables tables;
  for (std::size_t s = 0; s < result.counted.structures(); ++s) {
    std::vector<Evaluated> evaluated;
    for (const raters::Outcome& outcome : result.found.outcomes)
      evaluated.push_back(raters::evaluate(result.counted, outcome, s));
    const Reduction& reduction = result.counted.reduction(s);
    AgreementStudy study = study_agreement(reduction, std::move(evaluated),
                                           measures_of(run.request.settings, result.counted.options), 1);
    add_findings(result.counted, s, study, result.warnings);
    const auto& [rows, pairs] = result.found.structures[s];
    CaseNames names = result.names(one);
    if (result.counted.labelled()) names.label = result.counted.label(s);
    CaseTables own = cohort::tables_of(Known{names, reduction, study, rows, pairs});
    if (!result.counted.labelled()) return own;
    add_rows(tables, std::move(own));
  }
  const Columns<JointRow> columns = joint_columns();
  tables.back() = begin_table(columns);
  for (const raters::Outcome& outcome : result.found.outcomes)
    tables.back().rows.push_back(cells_of(columns, {{one.name, {}}, result.counted, outcome}));
  return tables;
}

/// The file of a method: a mask, levels, a label map, or the levels of all labels.
fs::path image_path(const RunContext& run, const CohortCase& one, const raters::Case& counted,
                    const Method& method, BidsKind kind) {
  if (run.request.bids) {
    const std::string label = run.request.methods.size() == 1 ? "" : std::string(method.name);
    return run.folder.path / bids_folder(one.raters.front().path) /
           (bids_result(one.name, label, kind) + ".nii.gz");
  }
  const fs::path folder = run.folder.of_case(one.name);
  const bool levels = kind == BidsKind::levels;
  if (counted.labelled() && levels) return folder / (std::string(method.name) + "_levels.nii.gz");
  const std::string own = files::ending_of(counted.reference);
  const bool one_each = files::holds_levels("image" + own);  // a voxel has one value
  const std::string ending = counted.counts.overlapping() && one_each ? ".seg.nrrd" : own;
  const bool fits = !levels || files::holds_levels("image" + ending);
  return folder / (std::string(method.name) + (fits ? ending : ".nrrd"));
}

fs::path image_path(const RunContext& run, const CohortCase& one, const raters::Case& counted,
                    const raters::Outcome& outcome) {
  const bool levels = outcome.method().kind == Kind::soft && !outcome.threshold;
  const BidsKind kind = counted.labelled() ? BidsKind::labels : levels ? BidsKind::levels : BidsKind::mask;
  return image_path(run, one, counted, outcome.method(), kind);
}

void put_images(const RunContext& run, const CohortCase& one, CaseResult& result, files::StagedSet& staged) {
  const raters::Case& counted = result.counted;
  std::vector<const Method*> methods;
  for (const raters::Outcome& outcome : result.found.outcomes) methods.push_back(&outcome.method());
  raters::MethodJob job{.methods = methods, .settings = run.request.settings};
  for (const raters::Outcome& outcome : result.found.outcomes)
    if (run.request.images) job.images.push_back(image_path(run, one, counted, outcome));
  job.put = [&](const fs::path& path, const Image& image, const files::Header& reference) {
    return staged.put_image(path, image, reference);
  };
  job.answered = [&](std::size_t, const raters::Outcome& outcome) {
    if (!run.request.images || !outcome.joint || outcome.joint->levels.empty()) return;
    const raters::Picture levels = raters::paint_levels(counted, outcome);
    append(result.warnings,
           staged.put_image(image_path(run, one, counted, outcome.method(), BidsKind::levels), levels.image,
                            levels.reference));
  };
  job.solved = std::move(result.found.outcomes);
  for (const raters::FusedMethod& done : raters::run_methods(counted, std::move(job), result.warnings))
    result.times.push_back(
        {done.outcome.method().name, done.outcome.solving, done.outcome.painting + done.writing});
}

/// What an older attempt left is no longer true.
void remove_older(const RunContext& run, const CohortCase& one) {
  std::error_code ignored;
  remove_result(run.folder, one.name);
  fs::remove(run.folder.failure(one.name), ignored);
  fs::remove(run.folder.times(one.name), ignored);
}

/// Whatever the disk refuses here is the run's matter, not the case's.
template <class F>
void on_disk(F work) {
  try {
    work();
  } catch (const FileError& e) {
    throw DiskError(e.sentence);
  }
}

Warnings reported(const RunContext& run, const Warnings& found) {
  Warnings warnings = spelled(found, Spelling::program);
  for (Warning& warning : warnings) warning.sentence = without_folders(run, warning.marked());
  return warnings;
}

/// `put` puts the images and reports the rest: the text of times.csv, and what the result holds.
template <class F>
void write_results(const RunContext& run, const CohortCase& one, const Json& inputs, const fs::path& work,
                   F put) {
  on_disk([&] {
    files::StagedSet staged(work);
    const auto [times, facts] = put(staged);
    const std::vector<files::StagedSet::Fact> outputs = staged.facts();
    staged.put_text(run.folder.times(one.name), times);
    const std::string text = result_text(one, run.identity, inputs, outputs, run.folder, facts);
    staged.put_text(run.folder.result(one.name), text);
    if (files::is_there(run.folder.of_case(one.name))) remove_older(run, one);
    staged.publish();
    std::vector<fs::path> paths;
    for (const files::StagedSet::Fact& output : outputs) paths.push_back(output.path);
    stamp(run, one, inputs, seal_of(text), paths);
  });
}

/// Empty where there is nothing to show, or no page was requested. To be made before the images, which take
/// what methods painted.
std::string report_of(const RunContext& run, const CohortCase& one, const Json& inputs, CaseResult& result,
                      const Settings& settings) {
  const auto drawn = [&](std::size_t s) { return !result.counted.reduction(s).crowns.empty(); };
  bool any = false;
  for (std::size_t s = 0; s < result.counted.structures(); ++s) any = any || drawn(s);
  if (!run.report || !any) return "";
  append(result.warnings, raters::warnings_about_shear(result.counted.reference.grid));
  const std::optional<raters::GreyImage> image =
      read_image(run.cohort, one, result.counted.reference, settings, result.warnings);
  result.counted.names = result.raters;
  return run.report({one, result.counted, result.found.outcomes, settings, run.identity, inputs,
                     image ? &*image : nullptr, reported(run, result.warnings)});
}

void complete_case(const RunContext& run, const CohortCase& one, const Json& inputs, const fs::path& work,
                   const Settings& settings) {
  CaseResult result = run_case(run, one, for_one_case(settings, one));
  CaseTables tables = tables_of(run, one, result);
  const std::string report = report_of(run, one, inputs, result, settings);
  Thumbnail thumbnail = run.thumbnail ? run.thumbnail(result.counted, result.found.outcomes) : Thumbnail{};
  write_results(run, one, inputs, work, [&](files::StagedSet& staged) -> std::pair<std::string, ResultFacts> {
    put_images(run, one, result, staged);
    if (!report.empty()) staged.put_text(run.folder.report(one.name), report);
    set_warnings(tables.front(), result.warnings);
    const CaseTimes times{result.counted.reading, result.counted.counting};
    result.warnings = reported(run, result.warnings);
    return {times_text(one.name, times, result.times),
            {result.warnings, std::move(tables), std::move(thumbnail)}};
  });
}

CaseFailure explain(const RunContext& run, const std::exception_ptr& error) {
  const auto reported = [&](const Error& e) {
    return without_folders(run, e.sentence.text(Spelling::program));
  };
  try {
    std::rethrow_exception(error);
  } catch (const UsageError& e) {
    return {"settings", reported(e)};
  } catch (const InputError& e) {
    return {"input", reported(e)};
  } catch (const ResourceError& e) {
    return {"memory", reported(e)};
  } catch (const FileError& e) {
    return {"io", reported(e)};
  } catch (const std::bad_alloc&) {
    return {"memory", "There is not enough memory."};
  } catch (const std::exception& e) {
    return {"bug", fmt::format("{}; this is a bug in crema, please report it.", e.what())};
  }
}

/// What is written down of a case that failed. A finished result stays beside it.
CaseOutcome write_failure(const RunContext& run, const CohortCase& one, const Json& inputs,
                          const fs::path& work, const CaseFailure& failure) {
  on_disk([&] {
    files::StagedSet staged(work);
    staged.put_text(run.folder.failure(one.name), failure_text(one.name, run.identity, inputs, failure));
    staged.publish();
  });
  return {CaseOutcome::Kind::failed, failure};
}

}  // namespace

CaseOutcome complete_case(const RunContext& run, const CohortCase& one, const fs::path& work,
                          std::int64_t memory) {
  const bool is_new = !files::is_there(run.folder.of_case(one.name));
  if (!is_new && is_vouched_for(run, one)) return {CaseOutcome::Kind::kept};
  const files::HeldFiles held(input_paths(run, one));
  const auto [inputs, away] = inputs_of(run.cohort, one, run.request);
  if (!is_new)
    if (std::optional<CaseOutcome> known = known_outcome(run, one, inputs)) return *known;
  if (!away.empty()) return write_failure(run, one, inputs, work, {"away", without_folders(run, away)});
  Settings settings = run.request.settings;
  settings.options.threads = 1;
  if (memory > 0) settings.max_memory = memory;
  try {
    complete_case(run, one, inputs, work, settings);
    return {CaseOutcome::Kind::made};
  } catch (const DiskError&) {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    return write_failure(run, one, inputs, work, explain(run, std::current_exception()));
  }
}

}  // namespace crema::cohort
