// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/pixels.h"

#include <array>
#include <cstring>

#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

using Eight = std::array<std::uint8_t, 8>;

/// The eight bits of every byte.
constexpr std::array<Eight, 256> kBits = [] {
  std::array<Eight, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit) table[byte][bit] = static_cast<std::uint8_t>(byte >> bit & 1);
  return table;
}();

/// Pixels run on from one frame to the next without a gap, so that a frame may start inside a byte.
class FrameReader {
 public:
  FrameReader(const Segmentation& file, const Source& source) : file_(file), source_(source) {
    const std::int64_t bits = file.frame_pixels() * file.bits;
    packed_.resize(static_cast<std::size_t>((bits + 7) / 8 + 1));
    if (file.bits == 1) pixels_.resize(static_cast<std::size_t>(file.frame_pixels()));
  }

  std::span<const std::uint8_t> read(std::int64_t frame) {
    const std::int64_t bits = file_.frame_pixels() * file_.bits, first = bits * frame;
    const auto count = static_cast<std::size_t>((first % 8 + bits + 7) / 8);
    const std::span<std::uint8_t> wanted = std::span(packed_).first(count);
    if (source_.read(file_.pixels + first / 8, wanted) < count)
      refuse(source_.path(), "is cut short: it ends within frame {}; copy or download it again", frame + 1);
    if (file_.bits != 1) return wanted;
    spread_bits(wanted, static_cast<unsigned>(first % 8), pixels_);
    return pixels_;
  }

 private:
  const Segmentation& file_;
  const Source& source_;
  std::vector<std::uint8_t> packed_, pixels_;
};

}  // namespace

void spread_bits(std::span<const std::uint8_t> packed, unsigned skip, std::span<std::uint8_t> bytes) {
  const std::size_t whole = bytes.size() / 8;
  std::uint8_t* to = bytes.data();
  for (std::size_t i = 0; i < whole; ++i, to += 8) {
    const unsigned next = skip == 0 ? 0U : static_cast<unsigned>(packed[i + 1]) << (8 - skip);
    const auto byte = static_cast<std::uint8_t>(packed[i] >> skip | next);
    std::memcpy(to, kBits[byte].data(), 8);
  }
  for (std::size_t i = whole * 8; i < bytes.size(); ++i, ++to) {
    const std::size_t bit = i + skip;
    *to = static_cast<std::uint8_t>(packed[bit / 8] >> bit % 8 & 1);
  }
}

void read_slices(const Segmentation& file, const std::vector<Slice>& slices, std::int32_t count,
                 const Source& source, const TakeSlice& take) {
  FrameReader reader(file, source);
  std::int32_t z = 0;
  for (const Slice& slice : slices) {
    for (; z < slice.z; ++z) take({});
    take(reader.read(slice.frame));
    ++z;
  }
  for (; z < count; ++z) take({});
}

}  // namespace crema::files::dicom
