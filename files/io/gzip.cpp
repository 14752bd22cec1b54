// SPDX-License-Identifier: Apache-2.0
#include "files/io/gzip.h"

#include <algorithm>
#include <stdexcept>

#include <isa-l/igzip_lib.h>

namespace crema::files {

namespace {

constexpr std::size_t kOutputPiece = 1024 * 1024;
constexpr std::size_t kInputPiece = std::size_t{1} << 30;

/// Not 1: there, ISA-L 2.30 lets the addresses of its own buffers decide now and then which match it takes,
/// so that the same content gave other bytes in one of a thousand runs. Level 2 is as fast on masks and maps.
constexpr std::uint32_t kLevel = 2;

/// Deflates what the stream was given, appending to `out`, until the input is used up or the stream has
/// ended.
void drain(isal_zstream& stream, std::vector<std::uint8_t>& out, std::vector<std::uint8_t>& piece) {
  do {
    stream.next_out = piece.data();
    stream.avail_out = static_cast<std::uint32_t>(piece.size());
    if (isal_deflate(&stream) != COMP_OK) throw std::logic_error("isal_deflate refused its arguments");
    out.insert(out.end(), piece.begin(), piece.end() - stream.avail_out);
  } while (stream.avail_out == 0);
}

using Pieces = std::span<const std::span<const std::uint8_t>>;

std::vector<std::uint8_t> deflate(Pieces pieces, std::uint16_t wrapper) {
  std::vector<std::uint8_t> level_buffer(ISAL_DEF_LVL2_DEFAULT);
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> piece(kOutputPiece);
  const auto stream = std::make_unique<isal_zstream>();
  isal_deflate_init(stream.get());
  stream->gzip_flag = wrapper;
  stream->level = kLevel;
  stream->level_buf = level_buffer.data();
  stream->level_buf_size = static_cast<std::uint32_t>(level_buffer.size());
  const auto feed = [&](std::span<const std::uint8_t> part) {
    stream->next_in = const_cast<std::uint8_t*>(part.data());
    stream->avail_in = static_cast<std::uint32_t>(part.size());
    drain(*stream, out, piece);
  };
  for (auto rest : pieces) {
    for (; !rest.empty(); rest = rest.subspan(std::min(kInputPiece, rest.size()))) {
      feed(rest.first(std::min(kInputPiece, rest.size())));
    }
  }
  stream->end_of_stream = 1;
  feed({});
  return out;
}

}  // namespace

std::vector<std::uint8_t> gzip(Pieces pieces) { return deflate(pieces, IGZIP_GZIP); }

std::vector<std::uint8_t> zlib(Pieces pieces) { return deflate(pieces, IGZIP_ZLIB); }

}  // namespace crema::files
