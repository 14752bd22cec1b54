// SPDX-License-Identifier: Apache-2.0
// files/io/source.h where files lie in memory; and as much of the system as readers ask about them.
#include "files/io/source.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/stat.h>

#include "files/io/sentence.h"
#include "web/app/memory_files.h"

namespace crema {
namespace {

/// As files are kept: "./a/../b.nii" and "/b.nii" are "b.nii", since all lie below the root.
std::string plain(const std::string& name) {
  const std::string path = std::filesystem::path(name).lexically_normal().relative_path().string();
  return path.empty() ? "." : path;
}

/// Its number, or −1.
int find(const std::string& name) {
  const auto& all = report::memory_files();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& file) { return plain(file.name) == plain(name); });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

bool is_folder(const std::string& name) {
  const std::string folder = plain(name);
  const auto& all = report::memory_files();
  return folder == "." || std::any_of(all.begin(), all.end(), [&](const auto& file) {
           return plain(file.name).starts_with(folder + "/");
         });
}

int describe(const char* path, struct stat* out) {
  *out = {};
  const int number = find(path);
  if (number < 0 && is_folder(path)) {
    out->st_mode = S_IFDIR | S_IRWXU;
    return 0;
  }
  if (number < 0) {
    errno = ENOENT;
    return -1;
  }
  out->st_mode = S_IFREG | S_IRUSR;
  out->st_ino = static_cast<ino_t>(number + 1);
  out->st_size = static_cast<off_t>(report::memory_files()[static_cast<std::size_t>(number)].bytes.size());
  return 0;
}

}  // namespace

std::vector<report::MemoryFile>& report::memory_files() {
  static std::vector<MemoryFile> all;
  return all;
}

namespace files {

Source::Source(std::filesystem::path path) : path_(std::move(path)), descriptor_(find(path_.string())) {
  if (descriptor_ < 0) refuse(path_, "does not exist; check the name");
  size_ =
      static_cast<std::int64_t>(report::memory_files()[static_cast<std::size_t>(descriptor_)].bytes.size());
  if (size_ == 0) refuse(path_, "is empty (0 bytes); copy or download it again");
}

Source::Source(Source&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

Source::~Source() = default;

std::size_t Source::read(std::int64_t offset, std::span<std::uint8_t> out) const {
  if (offset >= size_) return 0;
  const auto& bytes = report::memory_files()[static_cast<std::size_t>(descriptor_)].bytes;
  const std::size_t count = std::min(out.size(), static_cast<std::size_t>(size_ - offset));
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
  return count;
}

std::vector<std::uint8_t> Source::start(std::size_t count) const {
  std::vector<std::uint8_t> bytes(count);
  bytes.resize(read(0, bytes));
  return bytes;
}

}  // namespace files
}  // namespace crema

extern "C" int stat(const char* path, struct stat* out) { return crema::describe(path, out); }
extern "C" int lstat(const char* path, struct stat* out) { return crema::describe(path, out); }

/// Where paths that do not begin at the root begin.
extern "C" char* getcwd(char* out, std::size_t size) {
  if (size < 2) {
    errno = ERANGE;
    return nullptr;
  }
  char* const to = out != nullptr ? out : static_cast<char*>(std::malloc(size));  // NOLINT: as libc does
  if (to != nullptr) std::memcpy(to, "/", 2);
  return to;
}

/// There are no links: a path that leads somewhere is where it leads.
extern "C" char* realpath(const char* path, char* out) {
  struct stat status {};
  if (crema::describe(path, &status) != 0) return nullptr;
  const std::string full = (std::filesystem::path("/") / path).lexically_normal().string();
  char* const to =
      out != nullptr ? out : static_cast<char*>(std::malloc(full.size() + 1));  // NOLINT: as libc does
  if (to != nullptr) std::memcpy(to, full.c_str(), full.size() + 1);
  return to;
}
