// SPDX-License-Identifier: Apache-2.0
#include "files/values/voxel_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "files/io/sentence.h"
#include "files/io/stream.h"
#include "files/io/text_header.h"

namespace crema::files {

namespace {

static_assert(std::endian::native == std::endian::little, "voxels are written as they lie in memory");

constexpr std::int64_t kPiece = 256 * 1024;
constexpr std::size_t kLongestNumber = 400;  ///< of characters; the smallest double written out has 345

std::size_t stored_bytes(const VoxelStore& store) { return bytes_of(store.type.number); }

[[noreturn]] void refuse_short(const VoxelStore& store) {
  refuse(store.path,
         "is cut short: its header declares {} values, but it ends before; copy or download it again",
         store.values);
}

Warnings read_binary(const VoxelStore& store, Stream& stream, const Take& take) {
  const auto group = static_cast<std::int64_t>(stored_bytes(store)) * store.group;
  const std::int64_t most = std::max(kPiece / group, std::int64_t{1}) * group;
  std::vector<std::uint8_t> piece(static_cast<std::size_t>(most));
  for (std::int64_t left = store.values / store.group * group; left > 0;) {
    const auto wanted = std::span(piece).first(static_cast<std::size_t>(std::min(left, most)));
    if (stream.read(wanted) < wanted.size()) refuse_short(store);
    take(wanted);
    left -= static_cast<std::int64_t>(wanted.size());
  }
  return stream.finish();
}

bool is_wide(Number number) { return number == Number::int64 || number == Number::uint64; }

/// The ends of what a whole number of that type can be.
template <class T>
constexpr std::array<double, 2> kRange{static_cast<double>(std::numeric_limits<T>::min()),
                                       static_cast<double>(std::numeric_limits<T>::max())};

bool fits(double value, Number number) {
  if (number == Number::float32 || number == Number::float64) return true;
  constexpr std::array ranges{kRange<std::int8_t>,   kRange<std::uint8_t>, kRange<std::int16_t>,
                              kRange<std::uint16_t>, kRange<std::int32_t>, kRange<std::uint32_t>};
  if (value != std::floor(value)) return false;
  if (is_wide(number)) return std::abs(value) < kFirstInexact && (number == Number::int64 || value >= 0);
  const auto [low, high] = ranges.at(static_cast<std::size_t>(number));
  return value >= low && value <= high;
}

/// Eight bytes as they are handed over for a word; nothing where it is no number of that type.
std::optional<std::uint64_t> bits_of(std::string_view word, Number number) {
  if (number == Number::uint64) {
    if (const auto whole = parse_unsigned(word)) return whole;
  }
  if (number == Number::int64) {
    if (const auto whole = parse_integer(word)) return static_cast<std::uint64_t>(*whole);
  }
  const auto value = parse_real(word);
  if (!value || !fits(*value, number)) return {};
  if (is_wide(number)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(*value));
  return std::bit_cast<std::uint64_t>(*value);
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == ','; }

/// Gathers numbers from text that comes in pieces.
struct TextReader {
  const VoxelStore& store;
  const Take& take;
  std::vector<std::uint64_t> values = {};  ///< as bits_of has them
  std::string word = {};
  std::int64_t seen = 0;

  void put(char c) {
    if (!is_blank(c)) {
      word += c;
      if (word.size() > kLongestNumber) refuse_word();
    } else if (!word.empty()) {
      finish_word();
    }
  }
  void finish_word() {
    const auto value = bits_of(word, store.type.number);
    if (!value) refuse_word();
    if (++seen > store.values)
      refuse(store.path,
             "has more values than the {} its header declares; it is damaged: copy or save it again",
             store.values);
    values.push_back(*value);
    word.clear();
    if (static_cast<std::int64_t>(values.size()) % store.group == 0 && values.size() >= 4096) flush();
  }
  void flush() {
    take({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(values[0])});
    values.clear();
  }
  [[noreturn]] void refuse_word() const {
    refuse(store.path,
           "value {} is '{}', which is not a number of type {}; it is damaged: copy or save it again",
           seen + 1, printable(word.substr(0, 20)), name_of(store.type.number));
  }
};

Warnings read_text(const VoxelStore& store, Stream& stream, const Take& take) {
  TextReader reader{store, take};
  std::vector<std::uint8_t> piece(static_cast<std::size_t>(kPiece));
  for (std::size_t got = piece.size(); got == piece.size();) {
    got = stream.read(piece);
    for (std::size_t i = 0; i < got; ++i) reader.put(static_cast<char>(piece[i]));
  }
  if (!reader.word.empty()) reader.finish_word();
  if (reader.seen < store.values) refuse_short(store);
  reader.flush();
  return {};
}

}  // namespace

void check_store(const VoxelStore& store, const Source& data) {
  if (store.section.offset > data.size() || store.section.end > data.size())
    refuse(data.path(),
           "is cut short: its voxels should start at byte {}, but it has {}; copy or download it again",
           store.section.offset, bytes_text(static_cast<double>(data.size())));
  const Stream stream(data, store.section);
  const auto count = static_cast<double>(store.values);
  const double declared =
      static_cast<double>(store.skip) +
      (store.writing == Writing::text ? 2 * count - 1 : count * static_cast<double>(stored_bytes(store)));
  if (declared <= stream.max_bytes()) return;
  refuse(data.path(),
         "is cut short or damaged: its header declares {} of data, but its {}{} hold at most {}; copy or "
         "download it again",
         bytes_text(declared), bytes_text(static_cast<double>(data.size())),
         stream.compressed() ? " of compressed data" : "", bytes_text(std::max(0.0, stream.max_bytes())));
}

ValueType taken_type(const VoxelStore& store) {
  if (store.writing == Writing::binary) return store.type;
  ValueType type = store.type;
  if (!is_wide(type.number)) type.number = Number::float64;
  type.swapped = false;
  return type;
}

Warnings read_store(const VoxelStore& store, const Source& data, const Take& take) {
  check_store(store, data);
  Stream stream(data, store.section);
  if (!stream.skip(store.skip)) refuse_short(store);
  return store.writing == Writing::text ? read_text(store, stream, take) : read_binary(store, stream, take);
}

std::string type_text(const VoxelStore& store) {
  const bool text = store.writing == Writing::text;
  return std::string(name_of(store.type.number)) + (text                 ? " as text"
                                                    : store.type.swapped ? " big-endian"
                                                                         : "");
}

std::span<const std::uint8_t> bytes_of(const Image& image) {
  return std::visit(
      [](const auto& voxels) {
        return std::span(reinterpret_cast<const std::uint8_t*>(voxels.data()),
                         voxels.size() * sizeof(voxels[0]));
      },
      image);
}

Piece piece_of(const Image& image) {
  return std::visit([](const auto& voxels) { return Piece(voxels); }, image);
}

}  // namespace crema::files
