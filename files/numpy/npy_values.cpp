// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npy_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <isa-l/crc.h>

#include "files/io/sentence.h"
#include "files/io/stream.h"

namespace crema::files {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kPiece = 256 * 1024;  ///< a whole number of values of any type

/// The content of an array in order, counted and summed up.
class Reader {
 public:
  Reader(const Source& source, const NpyArray& array)
      : source_(&source), array_(&array), stream_(source, array.section) {}

  void read(std::span<std::uint8_t> out) {
    if (stream_.read(out) < out.size()) {
      refuse(source_->path(), "is cut short: its header declares {} bytes of values; copy it again",
             array_->header.data_bytes());
    }
    crc_ = crc32_gzip_refl(crc_, out.data(), out.size());
  }

  void finish() {
    if (!stream_.finish().empty())
      refuse(source_->path(),
             "has more data than its header declares; it is damaged or two arrays in one: copy or save it "
             "again");
    if (array_->crc && *array_->crc != crc_)
      refuse(source_->path(), "is damaged: its checksum is wrong (zip); copy or download it again");
  }

 private:
  const Source* source_;
  const NpyArray* array_;
  Stream stream_;
  std::uint32_t crc_ = 0;
};

float widen(std::uint16_t half) {
  const unsigned exponent = (half >> 10) & 31u, fraction = half & 1023u;
  const float sign = (half & 0x8000u) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 1024u), static_cast<int>(exponent) - 25);
}

/// Halves as floats, everything else as it is.
void hand_over(std::span<const std::uint8_t> stored, const NpyHeader& header, const TakeValues& take) {
  if (!header.half) return take(stored);
  std::vector<float> wide(stored.size() / 2);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const unsigned low = stored[2 * i + (header.swapped ? 1 : 0)];
    const unsigned high = stored[2 * i + (header.swapped ? 0 : 1)];
    wide[i] = widen(static_cast<std::uint16_t>(high << 8 | low));
  }
  take({reinterpret_cast<const std::uint8_t*>(wide.data()), wide.size() * sizeof(float)});
}

/// Reads so many bytes, and hands them over where they are wanted.
void pass(Reader& reader, std::int64_t bytes,
          const std::function<void(std::span<const std::uint8_t>)>& take) {
  Bytes piece(static_cast<std::size_t>(std::min<std::int64_t>(bytes, kPiece)));
  for (std::int64_t left = bytes; left > 0; left -= static_cast<std::int64_t>(piece.size())) {
    piece.resize(static_cast<std::size_t>(std::min<std::int64_t>(left, kPiece)));
    reader.read(piece);
    if (take) take(piece);
  }
}

/// The first index runs fastest: values are picked row by row from all of them.
void pick_rows(const Bytes& all, const NpyArray& array, std::int64_t chosen, const TakeValues& take) {
  const NpyHeader& header = array.header;
  const auto item = static_cast<std::size_t>(header.item_bytes());
  const auto width = static_cast<std::size_t>(header.shape.back());
  const std::size_t rows = all.size() / item / width;  // the stride of the last index, too
  const std::size_t classes = static_cast<std::size_t>(std::max<std::int64_t>(array.classes, 1));
  Bytes row(width * item);
  std::vector<std::int64_t> index(header.shape.size() - 1);
  if (array.classes > 0) index[0] = chosen;
  const std::size_t first = array.classes > 0 ? 1 : 0;
  for (std::size_t done = 0; done < rows / classes; ++done) {
    std::size_t at = 0, stride = 1;
    for (std::size_t a = 0; a < index.size(); ++a) {
      at += static_cast<std::size_t>(index[a]) * stride;
      stride *= static_cast<std::size_t>(header.shape[a]);
    }
    for (std::size_t x = 0; x < width; ++x) std::memcpy(&row[x * item], &all[(at + x * rows) * item], item);
    hand_over(row, header, take);
    for (std::size_t a = index.size(); a-- > first;) {
      if (++index[a] < header.shape[a]) break;
      index[a] = 0;
    }
  }
}

}  // namespace

void read_values(const Source& source, const NpyArray& array, std::int64_t chosen, const TakeValues& take) {
  const NpyHeader& header = array.header;
  Reader reader(source, array);
  Bytes start(header.raw.size());
  reader.read(start);
  if (start != header.raw) refuse(source.path(), "changed while it was being read; try again");
  const std::int64_t bytes = header.data_bytes();
  if (header.fortran) {
    Bytes all(static_cast<std::size_t>(bytes));
    reader.read(all);
    reader.finish();
    if (chosen != kAllClasses) return pick_rows(all, array, chosen, take);
    for (std::int64_t c = 0; c < std::max<std::int64_t>(array.classes, 1); ++c)
      pick_rows(all, array, c, take);
    return;
  }
  if (chosen == kAllClasses) {
    pass(reader, bytes, [&](std::span<const std::uint8_t> stored) { hand_over(stored, header, take); });
    return reader.finish();
  }
  const std::int64_t part = bytes / std::max<std::int64_t>(array.classes, 1);
  pass(reader, part * chosen, {});
  pass(reader, part, [&](std::span<const std::uint8_t> stored) { hand_over(stored, header, take); });
  pass(reader, bytes - part * (chosen + 1), {});
  reader.finish();
}

double reading_bytes(const NpyArray& array) {
  return array.header.fortran ? static_cast<double>(array.header.data_bytes()) : 0.0;
}

}  // namespace crema::files
