// SPDX-License-Identifier: Apache-2.0
#include "files/plan.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include <sys/stat.h>
#include <unistd.h>

#include "files/format.h"
#include "files/io/atomic.h"
#include "files/io/sentence.h"
#include "files/io/system/held.h"
#include "files/io/system/temporary.h"
#include "files/parts.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// One spelling for all names of a file that need not be there yet: its folder without links and detours.
fs::path spelled_out(const fs::path& path) {
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(folder_of(path), failed);
  return failed ? path.lexically_normal() : folder / path.filename();
}

/// Files by where they lie and by what they are, so that another name for one of them is found at once.
class Places {
 public:
  /// What was added before and is the same file; none where it is new.
  [[nodiscard]] const std::size_t* find(const fs::path& path) const {
    for (const std::string& key : keys_of(path))
      if (const auto found = by_key_.find(key); found != by_key_.end()) return &found->second;
    return nullptr;
  }
  void add(const fs::path& path, std::size_t number) {
    for (const std::string& key : keys_of(path)) by_key_.emplace(key, number);
  }

 private:
  static std::vector<std::string> keys_of(const fs::path& path) {
    std::vector<std::string> keys{spelled_out(path).string()};
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0)
      keys.push_back(fmt::format("{}:{}", status.st_dev, status.st_ino));  // no such path is absolute
    return keys;
  }
  std::unordered_map<std::string, std::size_t> by_key_;
};

/// Where files really lie. Neighbours share folders, each of which is looked at once.
class Whereabouts {
 public:
  const fs::path& folder(const fs::path& file) { return resolved(folder_of(file)); }
  fs::path of(const fs::path& file) { return step(folder(file), file); }

 private:
  const fs::path& resolved(const fs::path& folder) {
    const auto found = folders_.find(folder.string());
    if (found != folders_.end()) return found->second;
    const bool root = folder == folder.root_path() || !folder.has_parent_path();
    fs::path place = root ? canonical(folder) : step(resolved(folder.parent_path()), folder);
    return folders_.emplace(folder.string(), std::move(place)).first->second;
  }
  /// One name further than a folder that is known.
  static fs::path step(const fs::path& above, const fs::path& path) {
    std::error_code failed;
    const fs::path name = path.filename();
    const bool plain = !name.empty() && name != "." && name != "..";
    if (plain && !fs::is_symlink(fs::symlink_status(path, failed))) return above / name;
    return canonical(path);
  }
  static fs::path canonical(const fs::path& path) {
    std::error_code failed;
    const fs::path found = fs::weakly_canonical(fs::absolute(path, failed), failed);
    return failed ? path : found;
  }
  std::unordered_map<std::string, fs::path> folders_;
};

/// Whether a path lies in a folder or is it; both without links and detours.
bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

void check_folder(const fs::path& path) {
  const fs::path folder = folder_of(path);
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT) fail(path, "folder {} does not exist; create it", printable(folder));
    fail(path, "folder {} cannot be used: {}", printable(folder), std::strerror(errno));
  }
  if (!S_ISDIR(status.st_mode)) fail(path, "{} is not a folder; choose another", printable(folder));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(path, "folder {} is not writable: {}; choose another", printable(folder), std::strerror(errno));
  }
}

const FormatRow& check_ending(const fs::path& path) {
  const FormatRow* const row = row_by_ending(path);
  if (row == nullptr) {
    throw UsageError(sentence(path, "the name has no known ending; use one of {}", known_endings()));
  }
  if (row->encode == nullptr) {
    throw UsageError(
        sentence(path, "{}s can be read, but not written; use one of {}", row->name, known_endings()));
  }
  return *row;
}

void check_dimensions(const fs::path& path, const FormatRow& row, const Grid& grid) {
  if (grid.flat() || row.dimensions >= 3) return;
  throw UsageError(
      sentence(path, "the image is 3-D ({}), but {} holds 2-D ones; write .nii.gz", shape(grid), row.name));
}

}  // namespace

std::vector<fs::path> parts_of(const fs::path& path) {
  struct stat status {};
  if (!status_of(path, status) || !S_ISDIR(status.st_mode)) return parts_of_file(path);
  std::vector<fs::path> parts;  // an image series
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
    if (entry.is_regular_file(ignored)) parts.push_back(entry.path());
  std::sort(parts.begin(), parts.end());
  return parts;
}

void OutputPlan::add_input(const fs::path& path) { inputs_.push_back(path); }

void OutputPlan::add_image(const fs::path& path, const Grid& grid, const std::string& role) {
  const FormatRow& row = check_ending(path);
  check_dimensions(path, row, grid);
  for (const fs::path& part : row.parts(path)) add_part(part, role);
}

void OutputPlan::add_text(const fs::path& path, const std::string& role) { add_part(path, role); }

void OutputPlan::add_folder(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode)) throw UsageError(sentence(path, "is a file, but a folder is needed"));
    return;
  }
  if (is_missing(path)) return;
  if (!is_missing(folder_of(path))) check_folder(path);
  missing_.push_back(path);
}

void OutputPlan::add_tree(const fs::path& path) { trees_.push_back(path); }
void OutputPlan::add_input_tree(const fs::path& path) { input_trees_.push_back(path); }

bool OutputPlan::is_missing(const fs::path& folder) const {
  return std::any_of(missing_.begin(), missing_.end(),
                     [&](const fs::path& other) { return spelled_out(folder) == spelled_out(other); });
}

void OutputPlan::add_part(const fs::path& path, const std::string& role) { parts_.push_back({path, role}); }

void OutputPlan::check_part(const Part& part, const WriteOptions& options) const {
  // In a folder that is yet to be made nothing can be in the way.
  if (is_missing(folder_of(part.path))) return;
  check_folder(part.path);
  check_replaceable(part.path, options);
}

void OutputPlan::check_pairs() const {
  Places places;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (const std::size_t* const other = places.find(parts_[i].path))
      throw UsageError(sentence(parts_[i].path, "cannot hold both {} and {}; give {} another name",
                                parts_[*other].role, parts_[i].role, parts_[i].role));
    places.add(parts_[i].path, i);
  }
}

void OutputPlan::check_inputs() const {
  if (parts_.empty()) return;
  Places places;
  std::vector<fs::path> read;
  for (const fs::path& input : inputs_)
    for (const fs::path& part : parts_of(input)) {
      places.add(part, read.size());
      read.push_back(part);
    }
  for (const Part& part : parts_)
    if (const std::size_t* const input = places.find(part.path))
      throw UsageError(
          sentence(part.path, "is the input {}; write to another file", printable(read[*input])));
}

void OutputPlan::check_trees() const {
  Whereabouts whereabouts;
  for (const fs::path& named : trees_) {
    std::error_code failed;
    const fs::path tree = fs::weakly_canonical(named, failed);
    const auto check = [&](const fs::path& path) {
      if (!lies_in(whereabouts.of(path), tree)) return;
      throw UsageError(sentence(
          path, "lies in {}, where results are written and might replace it; write to another folder",
          printable(named)));
    };
    for (const fs::path& input : inputs_) {
      check(input);
      // A header names only what lies beside or below it.
      if (lies_in(tree, whereabouts.folder(input)))
        for (const fs::path& part : parts_of(input)) check(part);
    }
  }
}

void OutputPlan::check_input_trees() const {
  Whereabouts whereabouts;
  for (const fs::path& named : input_trees_) {
    std::error_code failed;
    const fs::path tree = fs::weakly_canonical(named, failed);
    for (const Part& part : parts_)
      if (fs::exists(fs::symlink_status(part.path, failed)) && lies_in(whereabouts.of(part.path), tree))
        throw UsageError(
            sentence(part.path, "is a file of {}, an input; write to another file", printable(named)));
  }
}

void OutputPlan::check(const WriteOptions& options) const {
  check_pairs();
  check_inputs();
  check_trees();
  check_input_trees();
  for (const Part& part : parts_) check_part(part, options);
}

struct OutputSet::Written {
  WriteOptions options;
  std::vector<Temporary> files;
  std::mutex mutex;  ///< of the files
};

OutputSet::OutputSet(WriteOptions options) : written_(new Written{.options = options}) {}
OutputSet::~OutputSet() = default;

Warnings OutputSet::put_image(const fs::path& path, const Image& image, const Header& reference) {
  const Encoded encoded = encode_image(path, image, reference);
  const std::scoped_lock lock(written_->mutex);
  stage(encoded.outputs, written_->files);
  return encoded.warnings;
}

void OutputSet::put_text(const fs::path& path, const std::string& text) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const Output output{path, {bytes}};
  stage({&output, 1}, written_->files);
}

void OutputSet::put_pieces(const fs::path& path, const std::function<void(const TakePiece&)>& make) {
  const std::size_t own = written_->files.size();
  written_->files.emplace_back(path);
  make([&](std::string_view piece) {
    written_->files[own].write({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
  });
  written_->files[own].close();
}

void OutputSet::publish() {
  if (written_->files.empty()) return;
  publish_staged(written_->files, written_->options);
  written_->files.clear();
}

}  // namespace crema::files
