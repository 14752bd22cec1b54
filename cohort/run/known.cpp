// SPDX-License-Identifier: Apache-2.0
#include "cohort/run/known.h"

#include "cohort/run/stamps.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// A file as results name it; somebody without one has no path.
struct NamedInput {
  std::string rater, path;

  bool operator==(const NamedInput&) const = default;
};

/// A series is named by its folder, and results name its files.
bool is_in_folder(const NamedInput& file, const NamedInput& folder) {
  return file.rater == folder.rater && fs::path(file.path).parent_path() == folder.path;
}

std::vector<NamedInput> expected_inputs(const RunContext& run, const CohortCase& one) {
  std::vector<NamedInput> named;
  for (const RaterFile& file : one.raters) named.push_back({file.rater, file.path});
  for (const std::string& rater : empty_raters(run.request, run.cohort, one)) named.push_back({rater, ""});
  for (const std::string& path : setting_files(run.request.settings, one.name)) named.push_back({"", path});
  return named;
}

/// Where the inputs of a result lie. Nothing where the case is made of others now; a file of which only the
/// header was named may have further parts.
std::optional<std::vector<fs::path>> unchanged_inputs(const RunContext& run, const CohortCase& one,
                                                      const Json& inputs) {
  const std::vector<NamedInput> expected = expected_inputs(run, one);
  std::size_t next = 0;
  std::vector<fs::path> paths;
  for (const Json& input : list_in(inputs)) {
    const NamedInput named{std::string(text_in(member(input, "rater"))),
                           std::string(text_in(member(input, "path")))};
    if (next < expected.size() && (named == expected[next] || is_in_folder(named, expected[next])))
      ++next;
    else if (next == 0 || named.rater != expected[next - 1].rater)
      return std::nullopt;
    if (!named.path.empty()) paths.push_back(run.cohort.root / named.path);
  }
  return next == expected.size() ? std::optional(std::move(paths)) : std::nullopt;
}

void forget_failure(const RunContext& run, const CohortCase& one) {
  std::error_code ignored;
  fs::remove(run.folder.failure(one.name), ignored);  // of a time when its files were away
}

}  // namespace

std::vector<fs::path> input_paths(const RunContext& run, const CohortCase& one) {
  std::vector<fs::path> paths;
  for (const NamedInput& named : expected_inputs(run, one))
    if (!named.path.empty()) paths.push_back(run.cohort.root / named.path);
  return paths;
}

bool is_vouched_for(const RunContext& run, const CohortCase& one) {
  if (run.before == nullptr || run.stamps == nullptr || !one.unread.empty()) return false;
  const std::optional<Json> result = read_result(run.folder, one.name);
  if (!result || line_of(member(*result, "run")) != line_of(run.identity)) return false;
  std::optional<std::vector<fs::path>> files = unchanged_inputs(run, one, member(*result, "inputs"));
  if (!files) return false;
  for (fs::path& output : output_paths(*result, run.folder)) files->push_back(std::move(output));
  if (!run.before->vouch_for(one.name, text_in(member(*result, "sha256")), *files)) return false;
  run.stamps->keep(one.name, *run.before);
  forget_failure(run, one);
  return true;
}

std::optional<CaseOutcome> known_outcome(const RunContext& run, const CohortCase& one, const Json& inputs) {
  const std::optional<Json> result = read_result(run.folder, one.name);
  if (result && fits(*result, run.identity, inputs, run.folder)) {
    forget_failure(run, one);
    stamp(run, one, inputs, std::string(text_in(member(*result, "sha256"))),
          output_paths(*result, run.folder));
    return CaseOutcome{CaseOutcome::Kind::kept};
  }
  const std::optional<Json> before = read_failure(run.folder, one.name);
  if (!before || run.retry || !fits(*before, run.identity, inputs, run.folder)) return std::nullopt;
  const CaseFailure failure = failure_in(*before);
  return failure.transient() ? std::nullopt : std::optional(CaseOutcome{CaseOutcome::Kind::failed, failure});
}

void stamp(const RunContext& run, const CohortCase& one, const Json& inputs, std::string result,
           const std::vector<fs::path>& outputs) {
  if (run.stamps == nullptr) return;
  if (const std::optional<std::vector<fs::path>> paths = unchanged_inputs(run, one, inputs))
    run.stamps->set(one.name, std::move(result), *paths, outputs);
}

}  // namespace crema::cohort
