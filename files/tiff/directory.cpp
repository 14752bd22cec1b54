// SPDX-License-Identifier: Apache-2.0
// The chain of directories is followed here and not by libtiff, so that a loop ends with a sentence.
#include "files/tiff/directory.h"

#include <array>
#include <unordered_set>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

constexpr std::size_t kMaxPages = 65535;

/// How numbers lie in this file: byte order, and widths that differ between TIFF and BigTIFF.
struct Layout {
  bool big_endian = false;
  bool wide = false;

  [[nodiscard]] std::size_t count_bytes() const { return wide ? 8 : 2; }
  [[nodiscard]] std::size_t entry_bytes() const { return wide ? 20 : 12; }
  [[nodiscard]] std::size_t offset_bytes() const { return wide ? 8 : 4; }
};

/// A whole number of so many bytes at a place in the file.
std::uint64_t number_at(const Source& source, std::uint64_t at, std::size_t width, const Layout& layout) {
  std::array<std::uint8_t, 8> bytes{};
  const auto size = static_cast<std::uint64_t>(source.size());
  if (at > size || width > size - at ||
      source.read(static_cast<std::int64_t>(at), std::span(bytes).first(width)) < width) {
    refuse(source.path(),
           "is cut short: a directory of its pages should lie at byte {}, but it has {} bytes; copy or "
           "download it again",
           at, source.size());
  }
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i) {
    number = (number << 8) | bytes[layout.big_endian ? i : width - 1 - i];
  }
  return number;
}

/// The place of the directory that follows the one at `at`; 0 when none does.
std::uint64_t next_directory(const Source& source, std::uint64_t at, const Layout& layout) {
  const std::uint64_t entries = number_at(source, at, layout.count_bytes(), layout);
  const auto size = static_cast<std::uint64_t>(source.size());
  if (entries == 0 || entries > size / layout.entry_bytes()) {
    refuse(source.path(), "is a damaged TIFF (a directory of {} entries); copy or download it again",
           entries);
  }
  const std::uint64_t end = at + layout.count_bytes() + entries * layout.entry_bytes();
  return number_at(source, end, layout.offset_bytes(), layout);
}

}  // namespace

bool looks_like_tiff(std::span<const std::uint8_t> start) {
  if (start.size() < 4) return false;
  const bool little = start[0] == 'I' && start[1] == 'I' && start[3] == 0;
  const bool big = start[0] == 'M' && start[1] == 'M' && start[2] == 0;
  const std::uint8_t version = little ? start[2] : start[3];
  return (little || big) && (version == 42 || version == 43);
}

std::vector<std::uint64_t> tiff_directories(const Source& source) {
  const std::vector<std::uint8_t> start = source.start(4);
  if (!looks_like_tiff(start)) refuse(source.path(), "changed while it was being read; try again");
  const bool big_endian = start[0] == 'M';
  const Layout layout{big_endian, start[big_endian ? 3 : 2] == 43};
  std::vector<std::uint64_t> places;
  std::unordered_set<std::uint64_t> seen;
  std::uint64_t at = number_at(source, layout.wide ? 8 : 4, layout.offset_bytes(), layout);
  while (at != 0) {
    if (!seen.insert(at).second) {
      refuse(source.path(),
             "is a damaged TIFF (page {} leads back to an earlier one); copy or download it again",
             places.size());
    }
    if (places.size() == kMaxPages) refuse(source.path(), "has more than {} pages; split it", kMaxPages);
    places.push_back(at);
    at = next_directory(source, at, layout);
  }
  if (places.empty()) refuse(source.path(), "is a TIFF without any page; copy or download it again");
  return places;
}

}  // namespace crema::files
