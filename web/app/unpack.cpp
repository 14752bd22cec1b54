// SPDX-License-Identifier: Apache-2.0
#include "web/app/unpack.h"

#include <algorithm>

#include "files/io/sentence.h"

namespace crema::report {
namespace {

using files::Packing;

constexpr const char* kWrongHeader = "its header is wrong";
constexpr const char* kWrongData = "its compressed data are not valid";
constexpr const char* kWrongSum = "its checksum or length is wrong";

}  // namespace

Unpack::Unpack(const files::Source& source, const files::Section& section)
    : source_(source),
      packing_(section.packing),
      position_(section.offset),
      end_(section.end < 0 ? source.size() : section.end),
      bits_([this](std::span<std::uint8_t> out) { return load(out); }),
      inflater_(bits_) {}

std::size_t Unpack::load(std::span<std::uint8_t> out) {
  const auto left = static_cast<std::size_t>(std::max<std::int64_t>(end_ - position_, 0));
  const std::size_t got = source_.read(position_, out.first(std::min(out.size(), left)));
  position_ += static_cast<std::int64_t>(got);
  return got;
}

const char* Unpack::name() const {
  return packing_ == Packing::zlib ? "zlib" : packing_ == Packing::gzip ? "gzip" : "deflate";
}

void Unpack::refuse_damage(const char* what) const {
  files::refuse(source_.path(), "is damaged: {} ({}); copy or download it again", what, name());
}

std::uint8_t Unpack::header_byte() {
  const auto byte = static_cast<std::uint8_t>(bits_.take(8));
  header_sum_ = crc32(header_sum_, {&byte, 1});
  return byte;
}

void Unpack::begin_gzip() {
  header_sum_ = 0;
  std::array<std::uint8_t, 10> start{};
  for (std::uint8_t& byte : start) byte = header_byte();
  const std::uint8_t flags = start[3];
  if (!files::looks_gzipped(start) || start[2] != 8 || (flags & 0xE0U) != 0) refuse_damage(kWrongHeader);
  if ((flags & 4U) != 0) {
    std::uint32_t extra = header_byte();
    for (extra |= std::uint32_t{header_byte()} << 8; extra > 0; --extra) header_byte();
  }
  for (const unsigned text : {8U, 16U})
    while ((flags & text) != 0 && header_byte() != 0) {
    }
  const std::uint32_t found = header_sum_ & 0xffffU;
  if ((flags & 2U) != 0 && bits_.take(16) != found) refuse_damage(kWrongSum);
}

void Unpack::begin_zlib() {
  const std::uint32_t method = bits_.take(8), flags = bits_.take(8);
  if ((method & 15U) != 8 || (method << 8 | flags) % 31 != 0) refuse_damage(kWrongHeader);
  if ((flags & 32U) != 0) refuse_damage(kWrongData);
}

void Unpack::begin_member() {
  if (packing_ == Packing::gzip) begin_gzip();
  if (packing_ == Packing::zlib) begin_zlib();
  sum_ = packing_ == Packing::zlib ? 1 : 0;
  size_ = 0;
  inflater_.begin();
  open_ = true;
}

void Unpack::check_trailer() {
  bits_.align();
  if (packing_ == Packing::gzip) {
    const std::uint32_t low = bits_.take(16), stated = low | bits_.take(16) << 16;
    const std::uint32_t few = bits_.take(16), length = few | bits_.take(16) << 16;
    if (stated != sum_ || length != static_cast<std::uint32_t>(size_)) refuse_damage(kWrongSum);
  }
  if (packing_ == Packing::zlib) {
    std::uint32_t stated = 0;
    for (int i = 0; i < 4; ++i) stated = stated << 8 | bits_.take(8);
    if (stated != sum_) refuse_damage(kWrongSum);
  }
}

/// Bare deflate data have no checksum that would distinguish zeros behind them from damage.
void Unpack::check_padding() {
  for (; bits_.has(8); ++zeros_)
    if (bits_.take(8) != 0 || zeros_ >= files::kMaxPadding || packing_ == Packing::deflate)
      files::refuse(source_.path(),
                    "has other bytes after its {} data; it is damaged or two files in one: copy or save it "
                    "again",
                    name());
}

void Unpack::finish_member() {
  check_trailer();
  open_ = false;
  if (packing_ == Packing::gzip && bits_.has(16) && bits_.peek(16) == 0x8B1FU) return;
  check_padding();
  ended_ = true;
}

std::size_t Unpack::read(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  try {
    while (done < out.size() && !ended_) {
      if (!open_) begin_member();
      const auto part = out.subspan(done);
      const std::size_t got = inflater_.read(part);
      const auto result = part.first(got);
      if (packing_ == Packing::gzip) sum_ = crc32(sum_, result);
      if (packing_ == Packing::zlib) sum_ = adler32(sum_, result);
      size_ += got;
      done += got;
      if (got < part.size()) finish_member();
    }
  } catch (const InflateError& error) {
    if (error.fault == InflateFault::invalid) refuse_damage(kWrongData);
    files::refuse(source_.path(), "is cut short: its {} data end too early; copy or download it again",
                  name());
  }
  return done;
}

}  // namespace crema::report
