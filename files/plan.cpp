// SPDX-License-Identifier: Apache-2.0
#include "files/plan.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include <sys/stat.h>
#include <unistd.h>

#include "files/format.h"
#include "files/io/atomic.h"
#include "files/io/sentence.h"
#include "files/io/temporary.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

bool same_file(const fs::path& a, const fs::path& b) {
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// One spelling for all names of a file that need not be there yet: its folder without links and detours.
fs::path spelled_out(const fs::path& path) {
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(folder_of(path), failed);
  return failed ? path.lexically_normal() : folder / path.filename();
}

bool same_place(const fs::path& a, const fs::path& b) {
  return same_file(a, b) || spelled_out(a) == spelled_out(b);
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
    fail(path, "folder {} may not be written: {}; choose another", printable(folder), std::strerror(errno));
  }
}

const FormatRow& check_ending(const fs::path& path) {
  const FormatRow* const row = row_by_ending(path);
  if (row == nullptr) {
    throw UsageError(sentence(path, "the ending says no format; use one of {}", known_endings()));
  }
  if (row->encode == nullptr) {
    throw UsageError(
        sentence(path, "{}s are read, but not written; use one of {}", row->name, known_endings()));
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
  std::vector<fs::path> parts;
  const auto add = [&](const std::vector<fs::path>& more) {
    std::error_code ignored;
    for (const fs::path& part : more)
      if (fs::exists(part, ignored) && std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
  };
  add({path});
  if (const FormatRow* const row = row_by_ending(path); row != nullptr && row->sources == nullptr)
    add(row->parts(path));
  // Formats go by content: a header under any name may name a data file.
  for (const FormatRow& row : format_table()) {
    if (row.sources == nullptr) continue;
    try {
      add(row.sources(path));
    } catch (const Error&) {  // not of this format, or damaged; reading it will say so
      continue;
    }
  }
  return parts;
}

void OutputPlan::add_input(const fs::path& path) {
  for (const fs::path& part : parts_of(path)) inputs_.push_back(part);
}

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

bool OutputPlan::is_missing(const fs::path& folder) const {
  return std::any_of(missing_.begin(), missing_.end(),
                     [&](const fs::path& other) { return spelled_out(folder) == spelled_out(other); });
}

void OutputPlan::add_part(const fs::path& path, const std::string& role) { parts_.push_back({path, role}); }

void OutputPlan::check_part(const Part& part, const WriteOptions& options) const {
  for (const fs::path& read : inputs_) {
    if (!same_place(part.path, read)) continue;
    throw UsageError(sentence(part.path, "is the input {}; write to another file", printable(read)));
  }
  // In a folder that is yet to be made nothing can be in the way.
  if (is_missing(folder_of(part.path))) return;
  check_folder(part.path);
  check_replaceable(part.path, options);
}

void OutputPlan::check_pairs() const {
  for (std::size_t i = 0; i < parts_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!same_place(parts_[i].path, parts_[j].path)) continue;
      throw UsageError(sentence(parts_[i].path, "cannot hold both {} and {}; give {} another name",
                                parts_[j].role, parts_[i].role, parts_[i].role));
    }
}

void OutputPlan::check(const WriteOptions& options) const {
  check_pairs();
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
