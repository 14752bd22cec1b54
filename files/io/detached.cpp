// SPDX-License-Identifier: Apache-2.0
#include "files/io/detached.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "files/io/sentence.h"
#include "files/io/system/temporary.h"

namespace crema::files {

namespace fs = std::filesystem;

namespace {

/// Where a path leads once every link in it is followed.
fs::path followed(const fs::path& path) {
  std::error_code failed;
  fs::path end = fs::weakly_canonical(path, failed);
  if (failed == std::errc::not_enough_memory) throw std::bad_alloc();
  return end;
}

bool inside(const fs::path& folder, const fs::path& file) {
  const fs::path outer = followed(folder), inner = followed(file);
  const auto [end, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end() && rest != inner.end();
}

}  // namespace

fs::path detached_file(const fs::path& header, const std::string& name) {
  const fs::path given(name);
  if (name.find('%') != std::string::npos)
    refuse(header, "names its voxels by a pattern ({}), which is not supported; write them as one file",
           printable(name));
  if (given.is_absolute() || std::find(given.begin(), given.end(), "..") != given.end())
    refuse(header, "names a file of voxels outside its folder ({}); put both into one folder",
           printable(given));
  fs::path file = folder_of(header) / given;
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    refuse(header, "its voxels should be in {}, which is missing; copy it here too", printable(file));
  if (!inside(folder_of(header), file))
    refuse(header, "its voxels should be in {}, a link out of the folder; copy the file here",
           printable(file));
  return file;
}

void check_data_name(const fs::path& data) {
  const std::string name = data.filename().string();
  const auto odd = [](char c) { return c == '%' || static_cast<unsigned char>(c) < ' '; };
  if (!std::any_of(name.begin(), name.end(), odd) && !name.starts_with("LIST") && name.front() != ' ') return;
  throw UsageError(sentence(data, "is a name that a header cannot refer to; choose a simpler one"));
}

}  // namespace crema::files
