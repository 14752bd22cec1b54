// SPDX-License-Identifier: Apache-2.0
#include "files/io/gzip/gzip.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <sys/mman.h>

namespace crema::files {

namespace {

constexpr std::size_t kOutputPiece = 64 * 1024;
constexpr std::size_t kInputPiece = std::size_t{1} << 30;
constexpr std::size_t kGathered = 64 * 1024;

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
#ifdef __SANITIZE_THREAD__
    return nullptr;  // the sanitizer ends a program that maps memory where its own may be
#endif
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

using Pieces = std::span<const Piece>;

/// A deflate stream by ISA-L, begun anew for each stretch.
class Deflater {
 public:
  explicit Deflater(std::vector<std::uint8_t>& out) : out_(out) {}

  void begin(std::uint16_t wrapper) {
    isal_deflate_init(stream());
    stream()->gzip_flag = wrapper;
    stream()->level = 1;
    stream()->level_buf = level_buffer_.data();
    stream()->level_buf_size = static_cast<std::uint32_t>(level_buffer_.size());
  }

  /// ISA-L copies its whole window at each call, and matches worse across them: small pieces, such as the
  /// rows of a picture, are put together first.
  void feed(std::span<const std::uint8_t> bytes) {
    if (gathered_.size() + bytes.size() > kGathered) take_gathered();
    if (bytes.size() < kGathered) {
      gathered_.insert(gathered_.end(), bytes.begin(), bytes.end());
      return;
    }
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(kInputPiece, bytes.size())))
      take(bytes.first(std::min(kInputPiece, bytes.size())));
  }

  /// Ends with a whole byte, and more blocks may follow.
  void flush() {
    take_gathered();
    stream()->flush = FULL_FLUSH;
    take({});
  }

  void end() {
    take_gathered();
    stream()->end_of_stream = 1;
    take({});
  }

 private:
  [[nodiscard]] isal_zstream* stream() const { return placed_.get(); }
  void take_gathered() {
    if (!gathered_.empty()) take(gathered_);
    gathered_.clear();
  }

  void take(std::span<const std::uint8_t> part) {
    stream()->next_in = const_cast<std::uint8_t*>(part.data());
    stream()->avail_in = static_cast<std::uint32_t>(part.size());
    drain(*stream(), out_, piece_);
  }

  std::vector<std::uint8_t>& out_;
  std::vector<std::uint8_t> gathered_;
  std::vector<std::uint8_t> level_buffer_ = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
  std::vector<std::uint8_t> piece_ = std::vector<std::uint8_t>(kOutputPiece);
  PlacedStream placed_;
};

/// What a format puts around the blocks, and how it sums the content.
struct Wrapper {
  std::uint16_t by_library;
  std::vector<std::uint8_t> header;
  std::uint32_t sum;  ///< of nothing
  std::uint32_t (*add)(std::uint32_t sum, const void* bytes, std::size_t count);
  std::uint32_t (*add_background)(std::uint32_t sum, Pattern pattern, std::int64_t times);
  void (*append_trailer)(std::uint32_t sum, std::int64_t size, std::vector<std::uint8_t>& out);
};

void append_gzip_trailer(std::uint32_t sum, std::int64_t size, std::vector<std::uint8_t>& out) {
  for (const auto number : {sum, static_cast<std::uint32_t>(size)})
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(number >> shift));
}

void append_zlib_trailer(std::uint32_t sum, std::int64_t, std::vector<std::uint8_t>& out) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(sum >> shift));
}

std::uint32_t add_crc32(std::uint32_t sum, const void* bytes, std::size_t count) {
  return crc32_gzip_refl(sum, static_cast<const unsigned char*>(bytes), count);
}

const Wrapper& gzip_wrapper() {
  static const Wrapper wrapper{
      IGZIP_GZIP,         {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF}, 0, add_crc32, crc32_of_background,
      append_gzip_trailer};
  return wrapper;
}

const Wrapper& zlib_wrapper() {
  static const Wrapper wrapper{IGZIP_ZLIB,         {0x78, 0x01},          1,
                               libdeflate_adler32, adler32_of_background, append_zlib_trailer};
  return wrapper;
}

std::vector<std::uint8_t> deflate_plainly(const std::vector<Stretch>& stretches, const Wrapper& wrapper) {
  std::vector<std::uint8_t> out;
  Deflater deflater(out);
  deflater.begin(wrapper.by_library);
  for (const Stretch& stretch : stretches) deflater.feed(stretch.bytes);
  deflater.end();
  return out;
}

std::vector<std::uint8_t> deflate(Pieces pieces, const Wrapper& wrapper) {
  const std::vector<Stretch> stretches = find_background(pieces);
  if (std::none_of(stretches.begin(), stretches.end(), [](const Stretch& s) { return s.is_background; }))
    return deflate_plainly(stretches, wrapper);
  std::vector<std::uint8_t> out = wrapper.header;
  Deflater deflater(out);
  std::optional<BackgroundBlocks> blocks;
  std::uint32_t sum = wrapper.sum;
  std::int64_t size = 0;
  for (auto stretch = stretches.begin(); stretch != stretches.end(); ++stretch) {
    const auto count = std::ssize(stretch->bytes);
    size += count;
    if (stretch->is_background) {
      const std::int64_t times = count / std::int64_t{sizeof(Pattern)};
      if (!blocks || blocks->pattern() != stretch->background) blocks.emplace(stretch->background);
      blocks->append(times, out);
      sum = wrapper.add_background(sum, stretch->background, times);
      continue;
    }
    if (stretch == stretches.begin() || std::prev(stretch)->is_background) deflater.begin(IGZIP_DEFLATE);
    deflater.feed(stretch->bytes);
    if (std::next(stretch) == stretches.end() || std::next(stretch)->is_background) deflater.flush();
    sum = wrapper.add(sum, stretch->bytes.data(), stretch->bytes.size());
  }
  out.insert(out.end(), {3, 0});  // the last block, of nothing
  wrapper.append_trailer(sum, size, out);
  return out;
}

}  // namespace

std::vector<std::uint8_t> gzip(Pieces pieces) { return deflate(pieces, gzip_wrapper()); }

std::vector<std::uint8_t> zlib(Pieces pieces) { return deflate(pieces, zlib_wrapper()); }

std::vector<std::uint8_t> gzip_small(std::span<const std::uint8_t> bytes) {
  struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  };
  constexpr int level = 9;
  const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(level));
  if (!compressor) throw std::bad_alloc();
  std::vector<std::uint8_t> small(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()));
  small.resize(
      libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), small.data(), small.size()));
  return small;
}

}  // namespace crema::files
