// SPDX-License-Identifier: Apache-2.0
#include "cohort/pack/archive.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crema/base/error.h"
#include "files/files.h"
#include "files/io/system/regular.h"

namespace crema::cohort {

OpenFile::OpenFile(const std::filesystem::path& path) : path_(path) {
  struct stat status {};
  descriptor_ = files::open_once(path, status);
  bytes_ = status.st_size;
  modified_ = status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OpenFile::require_open() const {
  if (descriptor_ < 0) throw InputError(fmt::format("{}: cannot be opened.", files::printable(path_)));
}

std::string_view OpenFile::read_piece(std::int64_t offset, std::int64_t most, std::string& buffer) const {
  constexpr std::int64_t kPiece = 1 << 20;
  const auto cut = [&] { return InputError(fmt::format("{}: is cut short.", files::printable(path_))); };
  if (offset >= bytes_) throw cut();  // also where the sum of the two would overflow
  buffer.resize(static_cast<std::size_t>(std::min(most, kPiece)));
  ssize_t got = -1;
  do got = ::pread(descriptor_, buffer.data(), buffer.size(), offset);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    throw FileError(fmt::format("{}: cannot be read: {}.", files::printable(path_), std::strerror(errno)));
  if (got == 0) throw cut();
  return std::string_view(buffer).substr(0, static_cast<std::size_t>(got));
}

}  // namespace crema::cohort
