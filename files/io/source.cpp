// SPDX-License-Identifier: Apache-2.0
#include "files/io/source.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <unistd.h>

#include "files/io/sentence.h"
#include "files/io/system/regular.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_missing(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(path, ignored))) {
    const std::string target = fs::read_symlink(path, ignored).string();
    if (target.find(".git/annex") != std::string::npos) {
      refuse(path, "is a git-annex link whose content is not here; fetch it with 'git annex get'");
    }
    refuse(path, "is a link to {}, which does not exist; copy the file itself", printable(target));
  }
  refuse(path, "does not exist; check the name");
}

[[noreturn]] void refuse_opening(const fs::path& path, int error) {
  if (error == ENOENT || error == ENOTDIR) refuse_missing(path);
  if (error == EACCES || error == EPERM) refuse(path, "cannot be read; check its permissions");
  if (error == ENXIO || error == ENODEV) refuse(path, "is a socket or a device; name a file");
  if (error == EMFILE || error == ENFILE || error == EIO)
    fail(path, "cannot be opened: {}", std::strerror(error));
  refuse(path, "cannot be opened: {}; check the name and your permissions", std::strerror(error));
}

/// The size of a regular file with something in it; anything else is refused by name.
std::int64_t checked_size(const fs::path& path, const Regular& file) {
  if (file.descriptor < 0) refuse(path, "{}", not_regular(file.mode));
  if (file.size == 0) refuse(path, "is empty (0 bytes); copy or download it again");
  return file.size;
}

}  // namespace

Source::Source(fs::path path) : path_(std::move(path)) {
  const Regular file = open_regular(path_);
  if (file.error != 0) refuse_opening(path_, file.error);
  descriptor_ = file.descriptor;
  try {
    size_ = checked_size(path_, file);
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

Source::Source(Source&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

Source::~Source() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t Source::read(std::int64_t offset, std::span<std::uint8_t> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(descriptor_, out.data() + done, out.size() - done, offset + static_cast<std::int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, "cannot be read: {}", std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::vector<std::uint8_t> Source::start(std::size_t count) const {
  std::vector<std::uint8_t> bytes(count);
  bytes.resize(read(0, bytes));
  return bytes;
}

}  // namespace crema::files
