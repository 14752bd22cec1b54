// SPDX-License-Identifier: Apache-2.0
#include "cohort/walk.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include "cohort/run_folder.h"
#include "files/format.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

using Place = std::pair<dev_t, ino_t>;

/// Voxels beside their header are part of it.
bool is_data_of_another(const fs::path& file) {
  if (!files::ends_with(file, ".img")) return false;
  std::error_code ignored;
  return fs::exists(fs::path(file).replace_extension(".hdr"), ignored);
}

class Walk {
 public:
  Walk(const fs::path& root, const std::string& only) : root_(root), only_(only) {}

  void enter(const std::string& inside) {
    const fs::path folder = inside.empty() ? root_ : root_ / inside;
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) return;
    const Place place{status.st_dev, status.st_ino};
    if (std::find(above_.begin(), above_.end(), place) != above_.end()) {
      found.warnings.push_back(fmt::format("{}: is a link that leads back to a folder above it; left out.",
                                           files::printable(folder)));
      return;
    }
    if (!inside.empty() && is_run_folder(folder)) return;
    above_.push_back(place);
    look_into(folder, inside);
    above_.pop_back();
  }

  Found found;

 private:
  void look_into(const fs::path& folder, const std::string& inside) {
    std::error_code failed;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
      names.push_back(entry->path().filename().string());
    if (failed)
      found.warnings.push_back(
          fmt::format("{}: cannot be looked into: {}.", files::printable(folder), failed.message()));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      if (!name.starts_with('.')) visit(folder / name, (fs::path(inside) / name).string());
  }

  void visit(const fs::path& path, const std::string& inside) {
    struct stat status {};
    const bool there = ::stat(path.c_str(), &status) == 0;
    if (there && S_ISDIR(status.st_mode)) return enter(inside);
    // A broken link to a mask is kept: its case says so when it is read.
    if (files::row_by_ending(path) == nullptr || is_data_of_another(path)) return;
    if (!only_.empty() && ::fnmatch(only_.c_str(), path.filename().c_str(), 0) != 0) return;
    found.files.push_back(inside);
  }

  const fs::path& root_;
  const std::string& only_;
  std::vector<Place> above_;
};

}  // namespace

Found find_masks(const fs::path& folder, const std::string& only) {
  Walk walk(folder, only);
  walk.enter("");
  return std::move(walk.found);
}

}  // namespace crema::cohort
