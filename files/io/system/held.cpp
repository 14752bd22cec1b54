// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/held.h"

#include <fcntl.h>
#include <unistd.h>

#include "files/io/system/temporary.h"

namespace crema::files {
namespace {

thread_local HeldFiles* held_here = nullptr;

}  // namespace

HeldFiles::HeldFiles(std::span<const std::filesystem::path> files) {
  for (const std::filesystem::path& path : files) files_.emplace(path.string(), std::nullopt);
  held_here = this;
}

HeldFiles::~HeldFiles() {
  held_here = nullptr;
  for (const auto& [name, file] : files_)
    if (file && file->descriptor >= 0) ::close(file->descriptor);
}

HeldFiles* HeldFiles::current() { return held_here; }

const HeldFiles::File* HeldFiles::find(const std::filesystem::path& path) {
  const auto found = files_.find(path.native());
  if (found == files_.end()) return nullptr;
  if (!found->second) {
    File file;
    // What is a pipe or a folder is somebody else's to refuse.
    file.descriptor = open_once(path, file.status);
    if (file.descriptor < 0) return nullptr;
    found->second = file;
  }
  return &*found->second;
}

bool status_of(const std::filesystem::path& path, struct stat& status) {
  if (HeldFiles* const held = HeldFiles::current(); held != nullptr)
    if (const HeldFiles::File* const file = held->find(path); file != nullptr) {
      status = file->status;
      return true;
    }
  return ::stat(path.c_str(), &status) == 0;
}

bool is_there(const std::filesystem::path& path) {
  struct stat status {};
  return status_of(path, status);
}

}  // namespace crema::files
