// SPDX-License-Identifier: Apache-2.0
// A streaming inflate costs about as much as libdeflate into fresh memory, because what it writes is still in
// the cache when the values are looked at; and it never holds more than a piece of the content.
#include <algorithm>
#include <array>
#include <memory>

#include <isa-l/igzip_lib.h>

#include "files/io/gzip/gzip.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

constexpr std::size_t kPackedPiece = 256 * 1024;
constexpr std::uint32_t kUnpackedPiece = 1u << 30;

}  // namespace

bool looks_gzipped(std::span<const std::uint8_t> start) {
  return start.size() >= 2 && start[0] == 0x1F && start[1] == 0x8B;
}

struct Gunzip::State {
  const Source* source;
  Packing packing;
  std::int64_t position;  ///< of the next byte to load
  std::int64_t end;
  // Neither is cleared: a file is opened several times for its first bytes, which would cost more than those.
  std::unique_ptr<std::uint8_t[]> input = std::make_unique_for_overwrite<std::uint8_t[]>(kPackedPiece);
  inflate_state stream;
  std::int64_t zeros = 0;
  bool fresh = true;  ///< nothing of the member was looked at yet
  bool ended = false;

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): not cleared, see above
  State(const Source& from, const Section& section)
      : source(&from),
        packing(section.packing),
        position(section.offset),
        end(section.end < 0 ? from.size() : section.end) {
    stream.next_in = input.get();
    stream.avail_in = 0;
    begin_member();
  }

  [[nodiscard]] const char* name() const {
    return packing == Packing::zlib ? "zlib" : packing == Packing::gzip ? "gzip" : "deflate";
  }

  void begin_member() {
    auto* const next = stream.next_in;
    const auto available = stream.avail_in;
    isal_inflate_init(&stream);
    stream.crc_flag = packing == Packing::zlib   ? ISAL_ZLIB
                      : packing == Packing::gzip ? ISAL_GZIP
                                                 : ISAL_DEFLATE;
    stream.next_in = next;
    stream.avail_in = available;
    fresh = true;
  }

  /// Loads more input behind what is left of it; false at the end of the section.
  bool load() {
    std::copy_n(stream.next_in, stream.avail_in, input.get());
    const auto room = std::span(input.get(), kPackedPiece).subspan(stream.avail_in);
    const auto left = static_cast<std::size_t>(std::max<std::int64_t>(end - position, 0));
    const std::size_t got = source->read(position, room.first(std::min(room.size(), left)));
    position += static_cast<std::int64_t>(got);
    stream.next_in = input.get();
    stream.avail_in += static_cast<std::uint32_t>(got);
    return got > 0;
  }

  std::uint32_t inflate_into(std::span<std::uint8_t> out);
  void check_flags();
  void finish_member();
  void check_padding();
};

namespace {

[[noreturn]] void refuse_damage(const Source& source, const char* packing, int code) {
  const char* const what = code == ISAL_INCORRECT_CHECKSUM ? "its checksum or length is wrong"
                           : code == ISAL_INVALID_WRAPPER || code == ISAL_UNSUPPORTED_METHOD
                               ? "its header is wrong"
                               : "its compressed data are not valid";
  refuse(source.path(), "is damaged: {} ({}); copy or download it again", what, packing);
}

}  // namespace

/// The standard reserves three flags for what it does not know yet; the inflater would pass over them.
void Gunzip::State::check_flags() {
  fresh = false;
  if (packing != Packing::gzip) return;
  while (stream.avail_in < 4 && load()) {
  }
  if (stream.avail_in >= 4 && (stream.next_in[3] & 0xE0) != 0)
    refuse_damage(*source, name(), ISAL_INVALID_WRAPPER);
}

std::uint32_t Gunzip::State::inflate_into(std::span<std::uint8_t> out) {
  if (fresh) check_flags();
  const bool more = stream.avail_in > 0 || load();
  const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), kUnpackedPiece));
  stream.next_out = out.data();
  stream.avail_out = room;
  const int code = isal_inflate(&stream);
  if (code < 0 || code == ISAL_NEED_DICT) refuse_damage(*source, name(), code);
  const std::uint32_t got = room - stream.avail_out;
  if (!more && got == 0 && stream.block_state != ISAL_BLOCK_FINISH) {
    refuse(source->path(), "is cut short: its {} data end too early; copy or download it again", name());
  }
  return got;
}

void Gunzip::State::check_padding() {
  // The inflater reads ahead by up to eight bytes, of which a gzip trailer takes all, a zlib trailer four.
  zeros = stream.read_in_length / 8;
  const bool held_back = zeros > 0 && (stream.read_in >> (stream.read_in_length % 8)) != 0;
  do {
    const std::span<const std::uint8_t> rest(stream.next_in, stream.avail_in);
    zeros += static_cast<std::int64_t>(rest.size());
    const bool clean = std::all_of(rest.begin(), rest.end(), [](auto byte) { return byte == 0; }) &&
                       !held_back && (packing != Packing::deflate || stream.read_in_length < 8);
    if (!clean || zeros > kMaxPadding) {
      refuse(source->path(),
             "has other bytes after its {} data; it is damaged or two files in one: copy or save it again",
             name());
    }
    stream.avail_in = 0;
  } while (load());
}

void Gunzip::State::finish_member() {
  while (stream.avail_in < 2 && load()) {
  }
  if (packing == Packing::gzip && looks_gzipped({stream.next_in, stream.avail_in})) return begin_member();
  check_padding();
  ended = true;
}

Gunzip::Gunzip(const Source& source, const Section& section)
    : state_(std::make_unique<State>(source, section)) {}
Gunzip::Gunzip(Gunzip&&) noexcept = default;
Gunzip::~Gunzip() = default;

std::int64_t Gunzip::trailing_zeros() const { return state_->zeros; }

std::size_t Gunzip::read(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size() && !state_->ended) {
    done += state_->inflate_into(out.subspan(done));
    if (state_->stream.block_state == ISAL_BLOCK_FINISH) state_->finish_member();
  }
  return done;
}

}  // namespace crema::files
