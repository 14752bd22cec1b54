// SPDX-License-Identifier: Apache-2.0
#include "cohort/merge/part_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "crema/base/error.h"
#include "files/files.h"
#include "files/io/system/regular.h"

namespace crema::cohort {

PartStream::PartStream(std::filesystem::path path, std::size_t buffer, Between between)
    : path_(std::move(path)), size_(buffer), between_(between) {}

PartStream::PartStream(PartStream&& other) noexcept
    : path_(std::move(other.path_)),
      size_(other.size_),
      between_(other.between_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      offset_(other.offset_),
      buffer_(std::move(other.buffer_)),
      at_(other.at_) {}

PartStream::~PartStream() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool PartStream::fill() {
  if (descriptor_ < 0) descriptor_ = files::open_regular(path_).descriptor;
  if (descriptor_ < 0)
    throw InputError(fmt::format("{}: cannot be read any more; merge again.", files::printable(path_)));
  buffer_.resize(size_);
  ssize_t got = -1;
  do got = ::pread(descriptor_, buffer_.data(), buffer_.size(), offset_);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    throw FileError(fmt::format("{}: cannot be read: {}.", files::printable(path_), std::strerror(errno)));
  if (between_ == Between::closed) ::close(std::exchange(descriptor_, -1));
  buffer_.resize(static_cast<std::size_t>(got));
  offset_ += got;
  at_ = 0;
  return got > 0;
}

std::string_view PartStream::ahead(std::int64_t most) {
  if (at_ == buffer_.size() && !fill())
    throw InputError(
        fmt::format("{}: was cut short while it was read; merge again.", files::printable(path_)));
  return std::string_view(buffer_).substr(at_, static_cast<std::size_t>(most));
}

bool PartStream::line(std::string& text) {
  text.clear();
  for (;;) {
    if (at_ == buffer_.size() && !fill()) return !text.empty();
    const std::size_t end = buffer_.find('\n', at_);
    text.append(buffer_, at_, std::min(end, buffer_.size()) - at_);
    at_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (end != std::string::npos) return true;
  }
}

}  // namespace crema::cohort
