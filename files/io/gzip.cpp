// SPDX-License-Identifier: Apache-2.0
#include "files/io/gzip.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <isa-l/igzip_lib.h>
#include <sys/mman.h>

namespace crema::files {

namespace {

constexpr std::size_t kOutputPiece = 1024 * 1024;
constexpr std::size_t kInputPiece = std::size_t{1} << 30;

/// ISA-L 2.30 lets the lower half of the stream's address decide now and then which match it takes: the same
/// content gave other bytes in one of a thousand runs. So each stream lies at an address with the same lower
/// half; where none is to be had, the bytes are right but may be others.
class PlacedStream {
 public:
  PlacedStream() : at_(place()) {
    if (at_ == nullptr) heap_ = std::make_unique<isal_zstream>();
  }
  ~PlacedStream() {
    if (at_ != nullptr) ::munmap(at_, sizeof(isal_zstream));
  }
  PlacedStream(const PlacedStream&) = delete;
  PlacedStream& operator=(const PlacedStream&) = delete;

  [[nodiscard]] isal_zstream* get() const {
    return at_ != nullptr ? static_cast<isal_zstream*>(at_) : heap_.get();
  }

 private:
  /// Zeroed memory, or nothing. Streams of several threads differ in the upper half alone.
  static void* place() {
    constexpr std::uintptr_t kFirst = 0x2000'0010'0000, kStep = std::uintptr_t{1} << 32;
    for (std::uintptr_t n = 0; n < 256; ++n) {
      void* const wanted = reinterpret_cast<void*>(kFirst + n * kStep);  // NOLINT: an address is meant
      void* const given = ::mmap(wanted, sizeof(isal_zstream), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (given == wanted) return given;
      if (given != MAP_FAILED) ::munmap(given, sizeof(isal_zstream));
    }
    return nullptr;
  }

  void* at_;
  std::unique_ptr<isal_zstream> heap_;
};

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
  std::vector<std::uint8_t> level_buffer(ISAL_DEF_LVL1_DEFAULT);
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> piece(kOutputPiece);
  const PlacedStream placed;
  isal_zstream* const stream = placed.get();
  isal_deflate_init(stream);
  stream->gzip_flag = wrapper;
  stream->level = 1;
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
