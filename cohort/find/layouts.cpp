// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/layouts.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include <fmt/format.h>

#include "cohort/find/bids.h"
#include "cohort/find/manifest.h"
#include "cohort/find/walk.h"
#include "cohort/run/run_folder.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "crema/counts/tally.h"
#include "files/format.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& data, const std::string& what) {
  throw InputError(fmt::format("{}: {}", files::printable(data), what));
}

/// "case1_anna" in the folder case1 is anna's.
std::string without_case(const std::string& stem, const std::string& folder) {
  const bool repeated = stem.size() > folder.size() + 1 && stem.starts_with(folder) &&
                        std::string_view("-_.").find(stem[folder.size()]) != std::string_view::npos;
  return repeated ? stem.substr(folder.size() + 1) : stem;
}

std::vector<Entry> by_case(const std::vector<std::string>& found, const std::string& flat_name) {
  std::vector<Entry> entries;
  for (const std::string& file : found) {
    const fs::path path(file);
    const std::string folder = path.parent_path().string();
    const std::string name = folder.empty() ? flat_name : folder;
    const std::string stem = files::without_ending(path.filename().string());
    entries.push_back({name, without_case(stem, fs::path(name).filename().string()), file, 0});
  }
  return entries;
}

/// What all names have in front, folder by folder.
std::string common_folders(const std::vector<Entry>& entries) {
  std::string common = entries.front().name.substr(0, entries.front().name.rfind('/') + 1);
  for (const Entry& entry : entries)
    while (!entry.name.starts_with(common))
      common = common.substr(0, common.rfind('/', common.size() - 2) + 1);
  return common;
}

std::vector<Entry> by_rater(const std::vector<std::string>& found, std::size_t& left_out) {
  std::vector<Entry> entries;
  for (const std::string& file : found) {
    const std::size_t slash = file.find('/');
    if (slash == std::string::npos) {
      ++left_out;
      continue;
    }
    const fs::path rest(file.substr(slash + 1));
    const fs::path name = rest.parent_path() / files::without_ending(rest.filename().string());
    entries.push_back({name.string(), file.substr(0, slash), file, 0});
  }
  if (entries.empty()) return entries;
  const std::size_t common = common_folders(entries).size();
  for (Entry& entry : entries) entry.name.erase(0, common);
  return entries;
}

/// One way to read a folder.
struct Reading {
  std::vector<Entry> entries;
  std::set<std::string> cases, raters;
  std::size_t left_out = 0;

  void count() {
    for (const Entry& entry : entries) {
      cases.insert(entry.name);
      raters.insert(entry.rater);
    }
  }
  /// Raters are few, and most cases have several.
  [[nodiscard]] bool plausible() const {
    const bool segments = std::all_of(entries.begin(), entries.end(),
                                      [](const Entry& entry) { return entry.path.ends_with(".seg.nrrd"); });
    return !entries.empty() && raters.size() <= static_cast<std::size_t>(kMaxRaters) &&
           (segments || 2 * entries.size() >= 3 * cases.size());
  }
};

constexpr std::array<std::string_view, 12> kRaterWords{"rater",  "reader",    "annotator",   "observer",
                                                       "expert", "fold",      "model",       "grader",
                                                       "user",   "physician", "radiologist", "seed"};
constexpr std::array<std::string_view, 10> kCaseWords{"case", "subject", "sub-",  "patient", "scan",
                                                      "exam", "study",   "image", "lesion",  "nodule"};

/// Whether each name has one of these words in it.
bool sound_like(std::span<const std::string_view> words, const std::set<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    std::string low = name;
    for (char& c : low)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return low.find(word) != std::string::npos; });
  });
}

/// What the names say, where they say something.
std::optional<Layout> by_names(const Reading& cases, const Reading& raters, std::string& reason) {
  const bool rater_files = sound_like(kRaterWords, cases.raters);
  const bool rater_folders = sound_like(kRaterWords, raters.raters);
  if (rater_files != rater_folders) {
    reason = rater_files ? "the files are named like raters" : "the folders are named like raters";
    return rater_files ? Layout::cases : Layout::raters;
  }
  const bool case_folders = sound_like(kCaseWords, cases.cases);
  if (case_folders == sound_like(kCaseWords, raters.cases)) return std::nullopt;
  reason = case_folders ? "the folders are named like cases" : "the files are named like cases";
  return case_folders ? Layout::cases : Layout::raters;
}

/// Why the masks are read as a folder per case, or as a folder per rater. What is read the wrong way round
/// gives numbers that look fine, so where it is not clear somebody has to say.
Layout choose(const fs::path& data, const Reading& cases, const Reading& raters, std::string& reason) {
  constexpr std::size_t kManyMore = 3;
  if (!cases.plausible() && !raters.plausible())
    refuse(data, fmt::format("is neither a folder for each case with a mask for each rater nor a folder for "
                             "each rater with equally named files ({} in {}); write a manifest "
                             "with the columns case, rater and path, or say {}.",
                             counted(std::ssize(cases.entries), "file"),
                             counted(std::ssize(cases.cases), "folder"), Sentence::setting("layout")));
  if (cases.plausible() != raters.plausible()) {
    reason = "the other way round few cases would have several raters";
    return cases.plausible() ? Layout::cases : Layout::raters;
  }
  if (const std::optional<Layout> named = by_names(cases, raters, reason)) return *named;
  const std::size_t folders = cases.cases.size(), names = raters.cases.size();
  if (folders < kManyMore * names && names < kManyMore * folders)
    refuse(data, fmt::format("could be read with a folder for each case or with a folder for each rater ({}, "
                             "{}); say {} or {}.",
                             counted(static_cast<std::int64_t>(folders), "folder"),
                             counted(static_cast<std::int64_t>(names), "name of a file", "names of files"),
                             Sentence::setting("layout", "cases"), Sentence::setting("layout", "raters")));
  reason = folders > names ? "there are many more folders than names of files"
                           : "there are many more names of files than folders";
  return folders > names ? Layout::cases : Layout::raters;
}

bool looks_like_bids(const fs::path& data, const std::vector<Entry>& entries) {
  std::error_code ignored;
  return !entries.empty() && (fs::exists(data / "dataset_description.json", ignored) ||
                              std::all_of(entries.begin(), entries.end(), [](const Entry& entry) {
                                return !bids_folder(entry.path).empty();
                              }));
}

void warn_left_out(Cohort& cohort, std::size_t count, const char* reason_for_one, const char* reason) {
  if (count > 0)
    cohort.warnings.push_back(
        {fmt::format("{} left out: {}.", counted(static_cast<std::int64_t>(count), "mask is", "masks are"),
                     count == 1 ? reason_for_one : reason),
         WarningKind::left_out});
}

void take_bids(const Where& where, std::vector<Entry> entries, std::size_t left_out, Cohort& cohort) {
  if (entries.empty())
    refuse(where.data,
           "holds no mask of BIDS with a rater in desc-, such as "
           "sub-01/anat/sub-01_label-lesion_desc-anna_mask.nii.gz.");
  cohort.layout = Layout::bids;
  cohort.reason = "masks are named as in BIDS, with the rater in desc-";
  warn_left_out(cohort, left_out, "it has no rater in desc-", "they have no rater in desc-");
  sort_into_cases(std::move(entries), cohort);
}

/// A folder that cannot be read may hold a case, or a rater's part of some: whoever may lack something fails.
void take_unread(const std::vector<Unread>& all, Cohort& cohort) {
  std::vector<CohortCase> more;
  for (const Unread& one : all) {
    if (cohort.layout != Layout::raters) {
      more.push_back({one.path, {}, {}, one.reason});
      continue;
    }
    const std::size_t slash = one.path.find('/');
    const std::string below = slash == std::string::npos ? "" : one.path.substr(slash + 1) + "/";
    for (CohortCase& with : cohort.cases)
      if (std::any_of(with.raters.begin(), with.raters.end(), [&](const RaterFile& file) {
            return file.path.compare(file.path.find('/') + 1, below.size(), below) == 0;
          }))
        with.unread = one.reason;
  }
  std::vector<Entry> entries;
  for (const CohortCase& one : cohort.cases)
    for (const RaterFile& file : one.raters)
      entries.push_back({one.name, file.rater, file.path, 0, one.image, one.unread});
  for (const CohortCase& one : more) entries.push_back({one.name, "", "", 0, "", one.unread});
  cohort.cases.clear();
  sort_into_cases(std::move(entries), cohort);
}

void take_folders(const Where& where, const std::vector<std::string>& found, Cohort& cohort) {
  Reading cases{by_case(found, cohort.root.filename().string()), {}, {}}, raters;
  raters.entries = by_rater(found, raters.left_out);
  cases.count();
  raters.count();
  const bool flat = raters.entries.empty();
  cohort.reason = flat ? "all masks lie in one folder" : "it was requested";
  cohort.layout = where.layout ? *where.layout
                  : flat       ? Layout::cases
                               : choose(where.data, cases, raters, cohort.reason);
  Reading& chosen = cohort.layout == Layout::cases ? cases : raters;
  if (chosen.entries.empty()) refuse(where.data, "has no folders; a folder for each rater is wanted.");
  warn_left_out(cohort, chosen.left_out, "it lies in no rater's folder", "they lie in no rater's folder");
  sort_into_cases(std::move(chosen.entries), cohort);
}

/// Whether a folder says itself which cases it has, as an import does; a run's own manifest is about others.
bool lists_itself(const Where& where, const fs::path& listed) {
  std::error_code ignored;
  return where.layout.value_or(Layout::manifest) == Layout::manifest && !is_run_folder(where.data) &&
         fs::is_regular_file(listed, ignored);
}

Cohort listed_cohort(Where where, const fs::path& listed) {
  where.data = listed;
  Cohort cohort = cohort_from_manifest(where);
  cohort.reason = "the folder has a manifest.tsv";
  return cohort;
}

}  // namespace

Cohort find_cohort(const Where& where) {
  std::error_code failed;
  const fs::file_status status = fs::status(where.data, failed);
  if (!fs::exists(status))
    throw NothingFound(fmt::format("{}: does not exist; name a folder of cases, or a manifest.",
                                   files::printable(where.data)));
  if (!fs::is_directory(status)) {
    if (where.layout && *where.layout != Layout::manifest)
      refuse(where.data, "is a file, which is read as a manifest; name a folder instead.");
    return cohort_from_manifest(where);
  }
  if (const fs::path listed = where.data / "manifest.tsv"; lists_itself(where, listed))
    return listed_cohort(where, listed);
  if (where.layout == Layout::manifest)
    refuse(where.data, "is a folder without a manifest.tsv; name the manifest.");
  Cohort cohort;
  cohort.root = fs::absolute(where.data / "").lexically_normal().parent_path();
  cohort.location = location_of(where.data);
  Found found = find_masks(cohort.root);
  cohort.warnings = std::move(found.warnings);
  const Selected selected = select(std::move(found.files), where, cohort.warnings);
  if (!found.unread.empty() && found.unread.front().path.empty())
    throw NothingFound(found.unread.front().reason);
  if (selected.files.empty() && found.unread.empty())
    throw NothingFound(
        fmt::format("{}: no masks are found in it{}; name a folder of cases, or a manifest.",
                    files::printable(where.data),
                    where.only.empty() && where.except.empty() ? "" : " under these patterns"));
  std::size_t left_out = 0;
  std::vector<Entry> entries = bids_entries(selected.files, left_out);
  if (selected.files.empty())
    cohort.layout = where.layout.value_or(Layout::cases);
  else if (where.layout == Layout::bids || (!where.layout && looks_like_bids(cohort.root, entries)))
    take_bids(where, std::move(entries), left_out, cohort);
  else
    take_folders(where, selected.files, cohort);
  take_images(selected.images, cohort);
  name_images(where, cohort);
  if (!found.unread.empty()) take_unread(found.unread, cohort);
  return cohort;
}

}  // namespace crema::cohort
