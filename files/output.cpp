// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "files/format.h"
#include "files/io/sentence.h"
#include "files/io/temporary.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

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

bool same_file(const fs::path& a, const fs::path& b) {
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// All files an input consists of, so that neither half of a pair is overwritten.
std::vector<fs::path> parts_of(const fs::path& path) {
  const FormatRow* const row = row_by_ending(path);
  if (row == nullptr) return {path};
  return row->sources != nullptr ? row->sources(path) : row->parts(path);
}

void check_inputs(const fs::path& part, const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    for (const fs::path& read : parts_of(input)) {
      if (!same_file(part, read)) continue;
      throw UsageError(sentence(part, "is the input {}; write to another file", printable(read)));
    }
  }
}

}  // namespace

void check_output(const fs::path& path, const Grid& grid, const std::vector<fs::path>& inputs,
                  const WriteOptions& options) {
  const FormatRow& row = check_ending(path);
  check_dimensions(path, row, grid);
  check_folder(path);
  for (const fs::path& part : row.parts(path)) {
    check_inputs(part, inputs);
    check_replaceable(part, options);
  }
}

}  // namespace crema::files
