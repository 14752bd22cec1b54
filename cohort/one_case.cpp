// SPDX-License-Identifier: Apache-2.0
#include "cohort/one_case.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "cohort/bids.h"
#include "cohort/label_case.h"
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
  std::vector<MethodTimes> times;  ///< per method
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
                       {.images = raters::Afterwards::Images::one_by_one, .record = run.request.reports});
  made.found = raters::compare(made.counted, run.request.methods, settings, made.warnings);
  made.names = {one.name, rater_names(run, one, made.counted.names)};
  return made;
}

AgreementStudy study_case(const RunContext& run, const Made& made) {
  std::vector<Evaluated> evaluated;
  for (const raters::Outcome& outcome : made.found.outcomes)
    evaluated.push_back(
        {std::string(outcome.method().name), &outcome.method(), outcome.solution, outcome.options});
  return study_agreement(*made.counted.reduction, std::move(evaluated), run.request.study, 1);
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

void put_images(const RunContext& run, const CohortCase& one, Made& made, files::StagedSet& staged) {
  files::Header reference = made.counted.reference;
  reference.consensus = true;
  Image canvas;
  for (raters::Outcome& outcome : made.found.outcomes) {
    const raters::Stopwatch watch;
    if (run.request.images) {
      Image image = raters::paint_outcome(made.counted, outcome, std::move(canvas));
      append(made.warnings, staged.put_image(image_path(run, one, outcome, reference), image, reference));
      canvas = outcome.paintable ? std::move(image) : Image();
    }
    made.times.push_back({outcome.method().name, outcome.solving, watch.seconds()});
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

std::vector<std::string> told(const RunContext& run, const Warnings& found) {
  std::vector<std::string> warnings;
  for (const std::string& text : texts(found, Spelling::program))
    warnings.push_back(without_root(text, run.cohort.root));
  return warnings;
}

/// What is written of a case beside its images.
struct Written {
  std::string times;
  const Warnings& warnings;
  CaseTables tables;
};

/// `put` puts the images and tells the rest.
template <class F>
void leave(const RunContext& run, const CohortCase& one, const Json& inputs, const fs::path& work, F put) {
  on_disk([&] {
    files::StagedSet staged(work);
    const Written written = put(staged);
    const std::vector<files::StagedSet::Fact> outputs = staged.facts();
    staged.put_text(run.folder.times(one.name), written.times);
    staged.put_text(run.folder.result(one.name),
                    result_text(one.name, run.identity, inputs, outputs, run.folder,
                                told(run, written.warnings), written.tables));
    remove_older(run, one);
    staged.publish();
  });
}

/// Empty where there is nothing to show, or nobody asked. To be made before the images, which take what
/// methods painted.
std::string report_of(const RunContext& run, const CohortCase& one, const Json& inputs, const Made& made,
                      const Settings& settings) {
  if (!run.report || made.counted.reduction->crowns.empty()) return "";
  raters::Case named = made.counted;
  named.names = made.names.raters;
  return run.report(
      {one, named, made.found.outcomes, settings, run.identity, inputs, told(run, made.warnings)});
}

void make_case(const RunContext& run, const CohortCase& one, const Json& inputs, const fs::path& work,
               const Settings& settings) {
  Made made = count_case(run, one, settings);
  const AgreementStudy study = study_case(run, made);
  const std::string report = report_of(run, one, inputs, made, settings);
  leave(run, one, inputs, work, [&](files::StagedSet& staged) -> Written {
    put_images(run, one, made, staged);
    if (!report.empty()) staged.put_text(run.folder.report(one.name), report);
    const CaseTimes times{made.counted.reading, made.counted.counting};
    return {times_text(one.name, times, made.times), made.warnings,
            tables_of({made.names, *made.counted.reduction, study, made.found.rows, made.found.pairs,
                       std::ssize(made.warnings)})};
  });
}

void make_label_case(const RunContext& run, const CohortCase& one, const Json& inputs, const fs::path& work,
                     const Settings& settings) {
  std::vector<std::string> raters;
  for (const RaterFile& file : one.raters) raters.push_back(file.rater);
  LabelCaseMade made = fuse_label_case(run, one, for_one_case(settings), std::move(raters));
  leave(run, one, inputs, work, [&](files::StagedSet& staged) -> Written {
    put_label_images(run, one, made, staged);
    const CaseTimes times{made.counted.reading, made.counted.counting};
    return {times_text(one.name, times, made.times), made.warnings, std::move(made.tables)};
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
    raters::wants_labels(settings) ? make_label_case(run, one, inputs, work, settings)
                                   : make_case(run, one, inputs, work, settings);
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
