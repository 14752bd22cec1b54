// SPDX-License-Identifier: Apache-2.0
// Which file is whose candidate.
#include <algorithm>

#include <fmt/format.h>

#include "cohort/find/selection.h"
#include "cohort/find/walk.h"
#include "cohort/run/run_folder.h"
#include "crema/base/error.h"
#include "files/files.h"
#include "files/format.h"
#include "study/candidate.h"

namespace crema::study {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCase = "{case}";

bool is_pattern(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

std::string with_name(std::string text, const std::string& name) {
  for (std::size_t at = text.find(kCase); at != std::string::npos; at = text.find(kCase, at + name.size()))
    text.replace(at, kCase.size(), name);
  return text;
}

/// What a file may be the candidate of: its own name without its ending, and the folders above it.
std::vector<std::string> names_of_file(const fs::path& inside) {
  std::vector<std::string> names;
  for (const fs::path& part : inside.parent_path()) names.push_back(part.string());
  names.push_back(files::without_ending(inside.filename().string()));
  return names;
}

/// A pattern as a folder, and what files in it must fit.
struct SplitPattern {
  fs::path folder;
  std::string inside;
};

SplitPattern split_pattern(const fs::path& pattern) {
  SplitPattern result;
  fs::path inside;
  for (const fs::path& part : pattern)
    (inside.empty() && !is_pattern(part.string()) ? result.folder : inside) /= part;
  result.inside = inside.string();
  if (result.folder.empty()) result.folder = ".";
  return result;
}

}  // namespace

void CandidateFiles::find_by_path(const std::string& where, const std::vector<cohort::CohortCase>& cases) {
  std::error_code ignored;
  for (const cohort::CohortCase& one : cases)
    for (const std::string& name : {one.name, cohort::folder_name(one.name)})
      if (const fs::path path = with_name(where, name); fs::exists(path, ignored)) files_[one.name] = path;
}

void CandidateFiles::find_by_name(const std::string& where, const std::vector<cohort::CohortCase>& cases) {
  std::error_code ignored;
  const bool folder = fs::is_directory(where, ignored);
  if (!folder && !is_pattern(where))
    throw InputError(
        fmt::format("{}: is not a folder; give a folder, a pattern, or a path with {} in place of the "
                    "case's name.",
                    files::printable(fs::path(where)), kCase));
  const SplitPattern pattern = folder ? SplitPattern{where, ""} : split_pattern(where);
  std::map<std::string, std::string, std::less<>> cases_by_name;
  for (const cohort::CohortCase& one : cases)
    for (const std::string& name : {one.name, cohort::folder_name(one.name)}) cases_by_name[name] = one.name;
  for (const std::string& inside : cohort::find_masks(pattern.folder).files) {
    if (!pattern.inside.empty() && !cohort::fits(pattern.inside, inside)) continue;
    for (const std::string& name : names_of_file(inside))
      if (const auto whose = cases_by_name.find(name); whose != cases_by_name.end())
        add(whose->second, pattern.folder / inside);
  }
}

void CandidateFiles::add(const std::string& name, const fs::path& file) {
  const auto [known, fresh] = files_.emplace(name, file);
  if (!fresh && known->second != file)
    throw InputError(
        fmt::format("case {} has two candidates, {} and {}; choose with a pattern, such as "
                    "'predictions/*/network.nii.gz'.",
                    files::printable(name), files::printable(known->second), files::printable(file)));
}

CandidateFiles::CandidateFiles(const std::string& where, const std::vector<cohort::CohortCase>& cases) {
  if (where.find(kCase) != std::string::npos)
    find_by_path(where, cases);
  else
    find_by_name(where, cases);
  if (files_.empty())
    throw InputError(fmt::format(
        "{}: no file there bears the name of a case, nor does a folder above one; cases "
        "are called like {}.",
        files::printable(fs::path(where)), cases.empty() ? "" : files::printable(cases.front().name)));
}

fs::path CandidateFiles::of(const std::string& name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? fs::path() : found->second;
}

}  // namespace crema::study
