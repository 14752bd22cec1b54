// SPDX-License-Identifier: Apache-2.0
#include "files/png/chunks.h"

#include <algorithm>
#include <string_view>

#include <libdeflate.h>

#include "files/format.h"
#include "files/io/sentence.h"
#include "files/png/levels.h"

namespace crema::files {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::int64_t kMagicBytes = 8;
constexpr std::size_t kFrame = 12;            ///< length, name and checksum of a chunk
constexpr std::size_t kMaxContent = 1 << 20;  ///< of a chunk that is looked into
constexpr std::size_t kWindow = 64 * 1024;
constexpr int kOrientationTag = 274;

std::uint64_t number_at(Bytes bytes, std::size_t at, std::size_t width, bool big_endian) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i)
    number = (number << 8) | bytes[at + (big_endian ? i : width - 1 - i)];
  return number;
}

/// Bytes of a file, read in large pieces.
class Window {
 public:
  explicit Window(const Source& source) : source_(&source) {}

  /// Fewer than requested at the end of the file.
  Bytes at(std::int64_t place, std::size_t count) {
    const std::int64_t end = start_ + static_cast<std::int64_t>(bytes_.size());
    if (place < start_ || place + static_cast<std::int64_t>(count) > end) {
      bytes_.resize(std::max(count, kWindow));
      bytes_.resize(source_->read(place, bytes_));
      start_ = place;
    }
    const Bytes rest = Bytes(bytes_).subspan(static_cast<std::size_t>(place - start_));
    return rest.first(std::min(count, rest.size()));
  }

 private:
  const Source* source_;
  std::int64_t start_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// The orientation in a block of EXIF, which is a TIFF directory; nothing when it holds together no more.
std::optional<Orientation> orientation_in(Bytes exif) {
  constexpr std::string_view prefix("Exif\0\0", 6);  // some writers keep it, as in JPEG
  if (exif.size() > prefix.size() && std::equal(prefix.begin(), prefix.end(), exif.begin()))
    exif = exif.subspan(prefix.size());
  if (exif.size() < 10 || exif[0] != exif[1] || (exif[0] != 'I' && exif[0] != 'M')) return {};
  const bool big = exif[0] == 'M';
  const std::uint64_t directory = number_at(exif, 4, 4, big);
  if (number_at(exif, 2, 2, big) != 42 || directory > exif.size() - 2) return {};
  const auto entries = exif.subspan(directory + 2);
  const std::size_t count = number_at(exif, directory, 2, big);
  if (count * 12 > entries.size()) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes entry = entries.subspan(12 * i, 12);
    if (number_at(entry, 0, 2, big) != kOrientationTag) continue;
    const std::uint64_t type = number_at(entry, 2, 2, big);
    const std::size_t width = type == 1 ? 1 : type == 3 ? 2 : type == 4 ? 4 : 0;
    if (width == 0 || number_at(entry, 4, 4, big) != 1) return {};
    return Orientation{static_cast<int>(std::min<std::uint64_t>(number_at(entry, 8, width, big), 1 << 30))};
  }
  return Orientation{};
}

[[noreturn]] void refuse_chunk(const Source& source, std::string_view name, std::string_view why) {
  refuse(source.path(), "is a damaged PNG ({}: {}); copy or download it again", name, why);
}

void take_exif(PngChunks& chunks, Bytes content) {
  const auto orientation = orientation_in(content);
  chunks.unreadable = !orientation;
  if (orientation) chunks.orientation = *orientation;
}

void take_text(PngChunks& chunks, Bytes content, const Source& source) {
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  const std::size_t end = text.find('\0');
  if (text.substr(0, end) == "Software" && text.substr(end + 1) == kConsensusMark) chunks.consensus = true;
  if (end == std::string_view::npos || text.substr(0, end) != kLevelMark) return;
  if (chunks.level) refuse_chunk(source, "tEXt", "two marks of a map of levels");
  chunks.level = text.substr(end + 1);
}

/// Looks into a chunk; false when the file ends in it.
bool take_chunk(PngChunks& chunks, Bytes whole, std::size_t length, const Source& source) {
  if (whole.size() < length + kFrame) return false;
  const std::string_view name(reinterpret_cast<const char*>(whole.data()) + 4, 4);
  if (libdeflate_crc32(0, &whole[4], length + 4) != number_at(whole, length + 8, 4, true))
    refuse_chunk(source, name, "CRC error");
  const Bytes content = whole.subspan(8, length);
  if (name == "tEXt") {
    take_text(chunks, content, source);
  } else {
    take_exif(chunks, content);
  }
  return true;
}

}  // namespace

PngChunks read_chunks(const Source& source) {
  PngChunks chunks;
  Window window(source);
  bool exif = false;
  for (std::int64_t at = kMagicBytes;;) {
    const Bytes start = window.at(at, 8);
    if (start.size() < 8) return chunks;
    const std::size_t length = number_at(start, 0, 4, true);
    const std::string name(start.begin() + 4, start.end());
    if (name == "IEND") return chunks;
    const bool is_exif = name == "eXIf";
    if (is_exif && exif) refuse_chunk(source, name, "there twice");
    exif = exif || is_exif;
    if (is_exif && length > kMaxContent) chunks.unreadable = true;
    const bool wanted = (is_exif || name == "tEXt") && length <= kMaxContent;
    if (wanted && !take_chunk(chunks, window.at(at, length + kFrame), length, source)) return chunks;
    at += static_cast<std::int64_t>(length + kFrame);
  }
}

}  // namespace crema::files
