// SPDX-License-Identifier: Apache-2.0
#include "cohort/one_case.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "cohort/bids.h"
#include "crema/agreement/compare_methods.h"
#include "raters/agreement.h"
#include "raters/memory.h"
#include "raters/stopwatch.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// A case on its way.
struct Made {
  raters::Case counted;
  raters::Comparison found;
  CaseNames names;
  Warnings warnings;
  std::vector<double> writing;  ///< seconds, per method
};

/// Sentences name files from the root of the cohort, so that they are the same wherever that lies.
std::string without_root(std::string text, const fs::path& root) {
  const std::string prefix = files::printable(root / "");
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

/// What a rater is called: by its own name, and behind that the segment's where a file holds several.
std::vector<std::string> rater_names(const RunContext& run, const CohortCase& one,
                                     const std::vector<std::string>& named) {
  std::vector<std::string> names;
  for (const std::string& name : named) {
    const auto own = [&](const RaterFile& file) {
      const std::string path = path_of(run.cohort, file).string();
      return name == path || name.starts_with(path + "#");
    };
    const auto file = std::find_if(one.raters.begin(), one.raters.end(), own);
    if (file == one.raters.end()) {
      names.push_back(name);
      continue;
    }
    const std::string segment = name.substr(path_of(run.cohort, *file).string().size());
    names.push_back(segment.empty()          ? file->rater
                    : one.raters.size() == 1 ? segment.substr(1)
                                             : file->rater + segment);
  }
  return names;
}

Made count_case(const RunContext& run, const CohortCase& one, const Settings& settings) {
  std::vector<fs::path> paths;
  for (const RaterFile& file : one.raters) paths.push_back(path_of(run.cohort, file));
  const Needs needs = std::max(raters::needs_of(run.request.methods), Needs::distances);
  Made made{.counted = raters::count(raters::from_files(raters::open_raters(paths, settings)), settings,
                                     needs, {.stop = run.stop})};
  made.warnings = made.counted.warnings;
  append(made.warnings, raters::warnings_about_size(made.counted));
  raters::check_memory(made.counted, run.request.methods, settings,
                       {.images = raters::Afterwards::Images::one_by_one});
  made.found = raters::compare(made.counted, run.request.methods, settings, made.warnings);
  made.names = {one.name, rater_names(run, one, made.counted.names)};
  return made;
}

AgreementStudy study_case(const RunContext& run, const Made& made) {
  std::vector<Judged> judged;
  for (const raters::Outcome& outcome : made.found.outcomes)
    judged.push_back(
        {std::string(outcome.method().name), &outcome.method(), outcome.solution, outcome.options});
  return study_agreement(*made.counted.reduction, std::move(judged), run.request.study, 1);
}

fs::path image_path(const RunContext& run, const CohortCase& one, const raters::Outcome& outcome,
                    const files::Header& reference) {
  const Method& method = outcome.method();
  const bool levels = method.kind == Kind::soft && !outcome.threshold;
  if (run.request.bids) {
    const std::string label = run.request.methods.size() == 1 ? "" : std::string(method.name);
    return run.folder.path / bids_folder(one.raters.front().path) /
           (bids_result(one.name, label, levels ? BidsKind::levels : BidsKind::mask) + ".nii.gz");
  }
  const std::string ending = files::ending_of(reference);
  const bool fits = !levels || files::holds_levels("image" + ending);
  return run.folder.of_case(one.name) / (std::string(method.name) + (fits ? ending : ".nrrd"));
}

Table case_table(const Made& made, const AgreementStudy& study) {
  const Reduction& reduction = *made.counted.reduction;
  const Grid& grid = reduction.grid;
  std::int64_t in_union = 0;
  for (const Component& component : reduction.components.list) in_union += component.voxels;
  const Cell outlier = study.outlier.outlier
                           ? Cell(made.names.raters[static_cast<std::size_t>(*study.outlier.outlier)])
                           : Cell(*study.outlier_rater.reason());
  std::vector<Cell> row{made.names.name, std::int64_t{reduction.raters}};
  for (const std::int32_t size : grid.size) row.emplace_back(std::int64_t{size});
  for (const double spacing : grid.spacing) row.emplace_back(spacing);
  for (Cell& more :
       std::vector<Cell>{grid.voxel_volume(), in_union, std::ssize(reduction.components.list),
                         cell(study.positive_agreement), cell(study.chance.kappa), cell(study.chance.alpha),
                         std::string(to_string(study.chance.region.kind)), study.chance.voxels, outlier,
                         std::ssize(made.warnings)})
    row.push_back(std::move(more));
  return {case_columns(), {std::move(row)}};
}

/// Times differ from run to run; they have a table of their own.
void drop_times(Table& methods) {
  for (const char* column : {"read_s", "count_s", "solve_s", "write_s"}) drop_column(methods, column);
}

CaseTables tables_of(const Made& made, const AgreementStudy& study) {
  const Reduction& reduction = *made.counted.reduction;
  CaseTables tables{case_table(made, study),
                    methods_table(made.names, reduction, made.found.rows, {}),
                    raters_table(made.names, study),
                    components_table(made.names, reduction, study),
                    rater_pairs_table(made.names, study),
                    method_pairs_table(made.names, reduction, made.found.rows, made.found.pairs)};
  drop_times(tables[1]);
  return tables;
}

std::string times_text(const Made& made) {
  Table table{{"case", "method", "read_s", "count_s", "solve_s", "write_s"}, {}};
  for (std::size_t m = 0; m < made.found.outcomes.size(); ++m) {
    const raters::Outcome& outcome = made.found.outcomes[m];
    table.rows.push_back({made.names.name, outcome.method().name, made.counted.reading, made.counted.counting,
                          outcome.solving, made.writing[m]});
  }
  return csv_text(table);
}

void put_images(const RunContext& run, const CohortCase& one, Made& made, files::StagedSet& staged) {
  files::Header reference = made.counted.reference;
  reference.consensus = true;
  for (raters::Outcome& outcome : made.found.outcomes) {
    const raters::Stopwatch watch;
    if (run.request.images) {
      const Image image = raters::paint_outcome(made.counted, outcome);
      append(made.warnings, staged.put_image(image_path(run, one, outcome, reference), image, reference));
    }
    made.writing.push_back(watch.seconds());
  }
}

/// What an older attempt left is no longer true.
void remove_older(const RunContext& run, const CohortCase& one) {
  std::error_code ignored;
  const CaseState state = read_case(run.folder, one.name);
  fs::remove(run.folder.result(one.name), ignored);
  for (const Json& output : list_in(member(state.json, "outputs")))
    fs::remove(run.folder.path / text_in(member(output, "path")), ignored);
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

void make_case(const RunContext& run, const CohortCase& one, const Json& inputs, const fs::path& work,
               const Settings& settings) {
  Made made = count_case(run, one, settings);
  const AgreementStudy study = study_case(run, made);
  on_disk([&] {
    files::StagedSet staged(work);
    put_images(run, one, made, staged);
    const std::vector<files::StagedSet::Fact> images = staged.facts();
    staged.put_text(run.folder.times(one.name), times_text(made));
    std::vector<std::string> warnings;
    for (const std::string& text : texts(made.warnings, Spelling::program))
      warnings.push_back(without_root(text, run.cohort.root));
    staged.put_text(run.folder.result(one.name), result_text(one.name, run.identity, inputs, images,
                                                             run.folder, warnings, tables_of(made, study)));
    remove_older(run, one);
    staged.publish();
  });
}

CaseFailure explain(const std::exception_ptr& error, const fs::path& root) {
  const auto told = [&](const Error& e) { return without_root(e.sentence.text(Spelling::program), root); };
  try {
    std::rethrow_exception(error);
  } catch (const UsageError& e) {
    return {"settings", told(e)};
  } catch (const InputError& e) {
    return {"input", told(e)};
  } catch (const ResourceError& e) {
    return {"memory", told(e)};
  } catch (const FileError& e) {
    return {"io", told(e)};
  } catch (const std::bad_alloc&) {
    return {"memory", "There is not enough memory."};
  } catch (const std::exception& e) {
    return {"bug", fmt::format("{}; this is a bug in crema, please report it.", e.what())};
  }
}

}  // namespace

std::vector<std::string> case_columns() {
  return {"case",         "raters",
          "size_x",       "size_y",
          "size_z",       "spacing_x_mm",
          "spacing_y_mm", "spacing_z_mm",
          "voxel_mm3",    "union_voxels",
          "components",   "positive_agreement",
          "fleiss_kappa", "krippendorff_alpha",
          "region",       "region_voxels",
          "outlier",      "warnings"};
}

std::array<std::vector<std::string>, kTables.size()> table_columns() {
  const CaseNames names;
  const Reduction reduction;
  const AgreementStudy study;
  Table methods = methods_table(names, reduction, {}, {});
  drop_times(methods);
  return {case_columns(),
          methods.columns,
          raters_table(names, study).columns,
          components_table(names, reduction, study).columns,
          rater_pairs_table(names, study).columns,
          method_pairs_table(names, reduction, {}, {}).columns};
}

CaseOutcome do_case(const RunContext& run, const CohortCase& one, const fs::path& work, std::int64_t memory) {
  using enum CaseOutcome::Kind;
  const Json inputs = inputs_of(run.cohort, one, run.request.settings);
  const CaseState state = read_case(run.folder, one.name);
  if (state.kind != CaseState::Kind::missing && fits(state.json, run.identity, inputs, run.folder)) {
    if (state.kind == CaseState::Kind::done) return {kept};
    const CaseFailure failure = failure_in(state.json);
    if (!failure.transient() && !run.retry) return {failed, failure};
  }
  Settings settings = run.request.settings;
  settings.options.threads = 1;
  if (memory > 0) settings.max_memory = memory;
  try {
    make_case(run, one, inputs, work, settings);
    return {made};
  } catch (const DiskError&) {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    const CaseFailure failure = explain(std::current_exception(), run.cohort.root);
    on_disk([&] {
      files::StagedSet staged(work);
      staged.put_text(run.folder.failure(one.name), failure_text(one.name, run.identity, inputs, failure));
      remove_older(run, one);
      staged.publish();
    });
    return {failed, failure};
  }
}

}  // namespace crema::cohort
