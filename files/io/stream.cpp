// SPDX-License-Identifier: Apache-2.0
#include "files/io/stream.h"

#include <algorithm>

#include "files/io/sentence.h"

namespace crema::files {

Stream::Stream(const Source& source)
    : Stream(source, {0, -1, looks_gzipped(source.start(2)) ? Packing::gzip : Packing::none}) {}

Stream::Stream(const Source& source, const Section& section)
    : source_(&source),
      start_(section.offset),
      position_(section.offset),
      end_(section.end < 0 ? source.size() : section.end) {
  if (section.packing != Packing::none) gunzip_.emplace(source, section);
}

std::size_t Stream::read(std::span<std::uint8_t> out) {
  const auto left = static_cast<std::size_t>(std::max<std::int64_t>(end_ - position_, 0));
  const std::size_t got =
      gunzip_ ? gunzip_->read(out) : source_->read(position_, out.first(std::min(out.size(), left)));
  position_ += static_cast<std::int64_t>(got);
  return got;
}

bool Stream::skip(std::int64_t count) {
  if (!gunzip_) {
    position_ += count;
    return position_ <= end_;
  }
  std::vector<std::uint8_t> scratch(static_cast<std::size_t>(std::min<std::int64_t>(count, 64 * 1024)));
  for (; count > 0; count -= static_cast<std::int64_t>(scratch.size())) {
    scratch.resize(static_cast<std::size_t>(std::min<std::int64_t>(count, 64 * 1024)));
    if (read(scratch) < scratch.size()) return false;
  }
  return true;
}

Warnings Stream::finish() {
  std::vector<std::uint8_t> rest(static_cast<std::size_t>(gunzip_ ? 1 : kMaxPadding + 1));
  rest.resize(read(rest));
  const bool clean = std::all_of(rest.begin(), rest.end(), [](auto byte) { return byte == 0; });
  if (gunzip_ ? !rest.empty() : !clean || static_cast<std::int64_t>(rest.size()) > kMaxPadding) {
    refuse(source_->path(),
           "has more data than its header declares; it is damaged or its header is wrong: copy or save it "
           "again");
  }
  const std::int64_t zeros = gunzip_ ? gunzip_->trailing_zeros() : static_cast<std::int64_t>(rest.size());
  if (zeros == 0) return {};
  return {{sentence(source_->path(), "ends in {} zero bytes of padding; they are ignored", zeros),
           WarningKind::file}};
}

double Stream::max_bytes() const {
  const auto size = static_cast<double>(end_ - start_);
  return gunzip_ ? size * kDeflateRatio : size;
}

}  // namespace crema::files
