// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/walk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "cohort/run/run_folder.h"
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

class FolderSearch {
 public:
  explicit FolderSearch(const fs::path& root) : root_(root) {}

  void enter(const std::string& inside) {
    const fs::path folder = inside.empty() ? root_ : root_ / inside;
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) return report(folder, inside, std::strerror(errno));
    const Place place{status.st_dev, status.st_ino};
    if (std::find(above_.begin(), above_.end(), place) != above_.end()) {
      found.warnings.push_back({fmt::format("{}: is a link that leads back to a folder above it; left out.",
                                            files::printable(folder)),
                                WarningKind::left_out});
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
    std::vector<std::pair<std::string, fs::file_type>> names;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      std::error_code unknown;
      names.emplace_back(entry->path().filename().string(), entry->symlink_status(unknown).type());
    }
    if (failed) report(folder, inside, failed.message());
    std::sort(names.begin(), names.end());
    for (const auto& [name, type] : names)
      if (!name.starts_with('.')) visit(folder / name, (fs::path(inside) / name).string(), type);
  }

  /// What the folder says of a file or a folder in it is not looked up again; a link leads somewhere.
  void visit(const fs::path& path, const std::string& inside, fs::file_type type) {
    if (type == fs::file_type::directory) return enter(inside);
    if (type == fs::file_type::regular) return keep(path, inside);
    struct stat status {};
    const int error = ::stat(path.c_str(), &status) == 0 ? 0 : errno;
    if (error == 0 && S_ISDIR(status.st_mode)) return enter(inside);
    // What cannot be looked at may be a folder; a link that leads nowhere is none. One to a mask is kept: its
    // case says so when it is read.
    const bool broken = error == ENOENT || error == ELOOP;
    if (files::row_by_ending(path) == nullptr && error != 0 && !broken)
      return report(path, inside, std::strerror(error));
    keep(path, inside);
  }

  void keep(const fs::path& path, const std::string& inside) {
    if (files::row_by_ending(path) == nullptr || is_data_of_another(path)) return;
    found.files.push_back(inside);
  }

  void report(const fs::path& path, const std::string& inside, const std::string& why) {
    found.unread.push_back({inside, fmt::format("{}: cannot be opened: {}.", files::printable(path), why)});
  }

  const fs::path& root_;
  std::vector<Place> above_;
};

}  // namespace

Found find_masks(const fs::path& folder) {
  FolderSearch search(folder);
  search.enter("");
  return std::move(search.found);
}

}  // namespace crema::cohort
