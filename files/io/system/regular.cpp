// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/regular.h"

#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/io/sentence.h"
#include "files/io/system/held.h"
#include "files/io/system/temporary.h"

namespace crema::files {

namespace {

int open_to_read(const std::filesystem::path& path) {
  return unbroken([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY); });
}

/// A second descriptor of a file that is held; nothing where it is not, or where there is none left.
std::optional<Regular> open_held(const std::filesystem::path& path) {
  HeldFiles* const held = HeldFiles::current();
  const HeldFiles::File* const file = held != nullptr ? held->find(path) : nullptr;
  if (file == nullptr) return std::nullopt;
  const int descriptor = ::fcntl(file->descriptor, F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0) return std::nullopt;
  return Regular{.descriptor = descriptor, .mode = file->status.st_mode, .size = file->status.st_size};
}

}  // namespace

int open_once(const std::filesystem::path& path, struct stat& status) {
  const int descriptor = open_to_read(path);
  if (descriptor < 0 || (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))) return descriptor;
  ::close(descriptor);
  return -1;
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder may be writable without being readable
  const int error = unbroken([&] { return ::fsync(descriptor); }) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error == EIO || error == ENOSPC) fail(folder, "cannot be written: {}", std::strerror(error));
}

Regular open_regular(const std::filesystem::path& path) {
  if (const std::optional<Regular> held = open_held(path)) return *held;
  Regular opened;
  const int descriptor = open_to_read(path);
  if (descriptor < 0) {
    opened.error = errno;
    return opened;
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) opened.error = errno;
  opened.mode = status.st_mode;
  opened.size = status.st_size;
  if (opened.error == 0 && S_ISREG(status.st_mode))
    opened.descriptor = descriptor;
  else
    ::close(descriptor);
  return opened;
}

std::string_view not_regular(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder; name the files in it";
  if (S_ISFIFO(mode)) return "is a pipe; save it as a file first";
  return "is a device or a socket, not a file";
}

std::string read_text(const std::filesystem::path& path) {
  const Regular file = open_regular(path);
  if (file.error == ENOENT) refuse(path, "does not exist; check the name");
  if (file.error != 0) fail(path, "cannot be read: {}", std::strerror(file.error));
  if (file.descriptor < 0) refuse(path, "{}", not_regular(file.mode));
  std::string text(static_cast<std::size_t>(file.size), '\0');
  std::size_t have = 0;
  ssize_t got = 1;
  while (got > 0 && have < text.size()) {
    got = unbroken([&] {
      return ::pread(file.descriptor, text.data() + have, text.size() - have, static_cast<off_t>(have));
    });
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  const int error = errno;
  ::close(file.descriptor);
  if (got < 0) fail(path, "cannot be read: {}", std::strerror(error));
  text.resize(have);
  return text;
}

}  // namespace crema::files
