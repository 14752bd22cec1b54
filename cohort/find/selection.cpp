// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/selection.h"

#include <unordered_map>

#include <fmt/format.h>
#include <fnmatch.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/format.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

/// Sorts paths one by one and counts what fits.
class Sorter {
 public:
  enum class Kind { mask, image, neither };
  explicit Sorter(const Where& where)
      : where_(where),
        image_(is_of_each_case(where.image) ? "" : where.image),
        except_(where.except.size()) {}

  Kind sort(const std::string& path) {
    bool left_out = false;
    for (std::size_t e = 0; e < where_.except.size(); ++e)
      if (fits(where_.except[e], path)) {
        left_out = true;
        ++except_[e];
      }
    if (left_out) return Kind::neither;
    if (!image_.empty() && fits(image_, path)) return ++images_, Kind::image;
    return where_.only.empty() || fits(where_.only, path) ? Kind::mask : Kind::neither;
  }

  void report(Warnings& warnings) const {
    for (std::size_t e = 0; e < except_.size(); ++e)
      if (except_[e] == 0) tell_unused("except", where_.except[e], warnings);
    if (!image_.empty() && images_ == 0) tell_unused("image", image_, warnings);
  }

 private:
  static void tell_unused(const char* setting, const std::string& pattern, Warnings& warnings) {
    warnings.push_back(
        {fmt::format("No file matches {}; it has no effect.", Sentence::setting(setting, printable(pattern))),
         WarningKind::setting});
  }

  const Where& where_;
  std::string image_;  ///< the pattern
  std::vector<std::size_t> except_;
  std::size_t images_ = 0;
};

/// What an image and a case share: the folder; or the path below a rater's folder, without the ending.
std::string key_of(const std::string& path, Layout layout) {
  if (layout != Layout::raters) return fs::path(path).parent_path().string();
  const fs::path below(path.substr(path.find('/') + 1));
  return (below.parent_path() / files::without_ending(below.filename().string())).string();
}

}  // namespace

bool is_of_each_case(std::string_view path) { return path.find(kCasePlace) != std::string_view::npos; }

std::string for_case(std::string path, const std::string& name) {
  for (std::size_t at = path.find(kCasePlace); at != std::string::npos;
       at = path.find(kCasePlace, at + name.size()))
    path.replace(at, kCasePlace.size(), name);
  return path;
}

bool fits(const std::string& pattern, const std::string& path) {
  const bool whole = pattern.find('/') != std::string::npos;
  const std::string name = whole ? path : fs::path(path).filename().string();
  return ::fnmatch(pattern.c_str(), name.c_str(), whole ? FNM_PATHNAME : 0) == 0;
}

Selected select(std::vector<std::string> files, const Where& where, Warnings& warnings) {
  Selected selected;
  Sorter sorter(where);
  for (std::string& file : files) {
    const Sorter::Kind kind = sorter.sort(file);
    if (kind == Sorter::Kind::mask)
      selected.files.push_back(std::move(file));
    else if (kind == Sorter::Kind::image)
      selected.images.push_back(std::move(file));
  }
  sorter.report(warnings);
  return selected;
}

Selected select(std::vector<Entry> entries, const Where& where, Warnings& warnings) {
  Selected selected;
  if (where.only.empty() && where.except.empty() && where.image.empty()) {
    selected.masks = std::move(entries);
    return selected;
  }
  Sorter sorter(where);
  std::unordered_map<std::string, std::string> images;
  for (Entry& entry : entries) {
    const Sorter::Kind kind = sorter.sort(entry.path);
    if (kind == Sorter::Kind::image && !images.emplace(entry.name, entry.path).second)
      throw InputError(fmt::format("case {}: has two images, {} and {}; keep one of them.",
                                   printable(entry.name), printable(images[entry.name]),
                                   printable(entry.path)));
    if (kind == Sorter::Kind::mask) selected.masks.push_back(std::move(entry));
  }
  for (Entry& mask : selected.masks)
    if (const auto found = images.find(mask.name); found != images.end()) mask.image = found->second;
  sorter.report(warnings);
  return selected;
}

void take_images(const std::vector<std::string>& images, Cohort& cohort) {
  std::unordered_map<std::string, std::string> by_key;
  for (const std::string& image : images)
    if (const auto [found, added] = by_key.emplace(key_of(image, cohort.layout), image); !added)
      throw InputError(fmt::format("{} and {}: are two images of one case; let {} fit one of them.",
                                   printable(found->second), printable(image), Sentence::setting("image")));
  for (CohortCase& one : cohort.cases) {
    if (one.raters.empty()) continue;
    const auto found = by_key.find(key_of(one.raters.front().path, cohort.layout));
    if (found != by_key.end()) one.image = found->second;
  }
}

void name_images(const Where& where, Cohort& cohort) {
  if (!is_of_each_case(where.image)) return;
  for (CohortCase& one : cohort.cases)
    one.image = fs::absolute(for_case(where.image, one.name)).lexically_normal().string();
}

}  // namespace crema::cohort
