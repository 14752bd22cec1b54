// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npz_directory.h"

#include <algorithm>
#include <array>
#include <optional>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

constexpr std::uint32_t kLocal = 0x04034B50, kCentral = 0x02014B50, kEnd = 0x06054B50;
constexpr std::uint32_t kWideEnd = 0x06064B50, kWideLocator = 0x07064B50, kDescriptor = 0x08074B50;
constexpr std::uint64_t kElsewhere = 0xFFFFFFFF;  ///< the number stands in a wider field
constexpr std::int64_t kEndBytes = 22, kLocatorBytes = 20, kWideEndBytes = 56;
constexpr std::size_t kCentralBytes = 46, kLocalBytes = 30;
constexpr std::int64_t kMaxDirectory = 16 * 1024 * 1024;
constexpr std::uint64_t kEncrypted = 1, kHasDescriptor = 8;

[[noreturn]] void damaged(const Source& source, std::string_view what) {
  refuse(source.path(), "is a damaged zip archive ({}); copy or save it again", what);
}

std::uint64_t number(View bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

/// Exactly so many bytes at a place in the file.
Bytes load(const Source& source, std::uint64_t at, std::uint64_t count) {
  const auto size = static_cast<std::uint64_t>(source.size());
  if (at > size || count > size - at) damaged(source, "a part lies outside the file");
  Bytes bytes(static_cast<std::size_t>(count));
  if (source.read(static_cast<std::int64_t>(at), bytes) < bytes.size()) damaged(source, "it ends too early");
  return bytes;
}

/// Where the central directory lies, and how many members it lists.
struct Directory {
  std::uint64_t entries, size, offset;
  std::uint64_t behind;  ///< the record that follows it
};

/// The end record is the last one whose comment reaches exactly to the end of the file.
std::uint64_t find_end(const Source& source) {
  const std::int64_t most = std::min<std::int64_t>(source.size(), kEndBytes + 65535);
  const auto from = static_cast<std::uint64_t>(source.size() - most);
  const Bytes tail = load(source, from, static_cast<std::uint64_t>(most));
  for (std::int64_t at = most - kEndBytes; at >= 0; --at) {
    const View record = View(tail).subspan(static_cast<std::size_t>(at));
    if (number(record, 0, 4) == kEnd && number(record, 20, 2) == record.size() - kEndBytes)
      return from + static_cast<std::uint64_t>(at);
  }
  refuse(source.path(), "is cut short: it has no end record (zip); copy or download it again");
}

/// The wider end record of an archive that needs it.
std::optional<Directory> wide_directory(const Source& source, std::uint64_t end) {
  if (end < kLocatorBytes + kWideEndBytes) return {};
  const Bytes locator = load(source, end - kLocatorBytes, kLocatorBytes);
  if (number(locator, 0, 4) != kWideLocator) return {};
  const std::uint64_t at = number(locator, 8, 8);
  if (at != end - kLocatorBytes - kWideEndBytes)
    damaged(source, "its zip64 record is not where it should be");
  const Bytes record = load(source, at, kWideEndBytes);
  const bool one_disk =
      number(record, 16, 4) == 0 && number(record, 20, 4) == 0 && number(locator, 4, 4) == 0;
  if (number(record, 0, 4) != kWideEnd || number(record, 4, 8) != kWideEndBytes - 12 || !one_disk ||
      number(record, 24, 8) != number(record, 32, 8)) {
    damaged(source, "its zip64 record is invalid");
  }
  return Directory{number(record, 32, 8), number(record, 40, 8), number(record, 48, 8), at};
}

Directory find_directory(const Source& source) {
  const std::uint64_t end = find_end(source);
  const Bytes record = load(source, end, kEndBytes);
  Directory directory{number(record, 10, 2), number(record, 12, 4), number(record, 16, 4), end};
  if (number(record, 4, 4) != 0 || number(record, 8, 2) != directory.entries)
    damaged(source, "it is a part of several");
  if (const auto wide = wide_directory(source, end)) directory = *wide;
  if (directory.size > static_cast<std::uint64_t>(kMaxDirectory) || directory.offset > directory.behind ||
      directory.size != directory.behind - directory.offset ||
      directory.entries > directory.size / kCentralBytes) {
    damaged(source, "its directory is not where it should be");
  }
  return directory;
}

/// Sizes and place of a member, as far as the narrow fields refer to the wide ones in the extra field.
void widen(View extra, std::span<std::uint64_t*> fields, const Source& source) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::size_t length = number(extra, at + 2, 2), next = at + 4 + length;
    if (next > extra.size()) damaged(source, "an extra field is too long");
    if (number(extra, at, 2) == 1) {
      std::size_t from = at + 4;
      for (std::uint64_t* const field : fields) {
        if (*field != kElsewhere) continue;
        if (from + 8 > next) damaged(source, "a zip64 field is too short");
        *field = number(extra, from, 8);
        from += 8;
      }
    }
    at = next;
  }
}

/// A member as the central directory has it.
struct Listed {
  std::string name;
  std::uint64_t flags, method, crc, packed, size, local;
  std::size_t bytes;  ///< of this entry of the directory
};

Listed parse_listed(View rest, const Source& source) {
  if (rest.size() < kCentralBytes || number(rest, 0, 4) != kCentral) damaged(source, "a directory entry");
  const std::size_t name = number(rest, 28, 2), extra = number(rest, 30, 2), comment = number(rest, 32, 2);
  const std::size_t bytes = kCentralBytes + name + extra + comment;
  if (bytes > rest.size() || number(rest, 34, 2) != 0) damaged(source, "a directory entry");
  Listed listed{{},
                number(rest, 8, 2),
                number(rest, 10, 2),
                number(rest, 16, 4),
                number(rest, 20, 4),
                number(rest, 24, 4),
                number(rest, 42, 4),
                bytes};
  const View text = rest.subspan(kCentralBytes, name);
  listed.name.assign(text.begin(), text.end());
  std::array fields{&listed.size, &listed.packed, &listed.local};
  widen(rest.subspan(kCentralBytes + name, extra), fields, source);
  return listed;
}

void check_kind(const Listed& listed, const Source& source) {
  const std::string name = printable(listed.name);
  if ((listed.flags & (kEncrypted | 0x2040)) != 0)
    refuse(source.path(), "its member {} is encrypted; save it without a password", name);
  if (listed.method != 0 && listed.method != 8) {
    refuse(source.path(), "its member {} uses an unsupported compression (method {}); save it again", name,
           listed.method);
  }
  if (listed.method == 0 && listed.packed != listed.size) damaged(source, "a stored member has two sizes");
  if (static_cast<double>(listed.size) > static_cast<double>(listed.packed) * kDeflateRatio) {
    refuse(source.path(),
           "is damaged: its member {} declares {}, which cannot come from {}; copy or download it again",
           name, bytes_text(static_cast<double>(listed.size)),
           bytes_text(static_cast<double>(listed.packed)));
  }
}

/// The record behind a member whose sizes were not known when it was begun; its length.
std::uint64_t check_descriptor(const Listed& listed, std::uint64_t at, const Source& source) {
  const auto left = static_cast<std::uint64_t>(source.size()) - at;
  const Bytes record = load(source, at, std::min<std::uint64_t>(24, left));
  for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
    for (const std::size_t sign : {std::size_t{4}, std::size_t{0}}) {
      const std::size_t length = sign + 4 + 2 * width;
      if (length > record.size() || (sign > 0 && number(record, 0, 4) != kDescriptor)) continue;
      if (number(record, sign, 4) == listed.crc && number(record, sign + 4, width) == listed.packed &&
          number(record, sign + 4 + width, width) == listed.size)
        return length;
    }
  }
  damaged(source, "the record behind a member contradicts the directory");
}

/// A member and the bytes it takes in the file, from its header to its end.
struct Placed {
  ZipEntry entry;
  std::uint64_t begin, end;
};

Placed place(const Listed& listed, const Source& source) {
  const Bytes fixed = load(source, listed.local, kLocalBytes);
  if (number(fixed, 0, 4) != kLocal) damaged(source, "a member is not where the directory says");
  const std::uint64_t name = number(fixed, 26, 2), extra = number(fixed, 28, 2);
  const Bytes rest = load(source, listed.local + kLocalBytes, name + extra);
  const View text = View(rest).first(static_cast<std::size_t>(name));
  std::uint64_t packed = number(fixed, 18, 4), size = number(fixed, 22, 4);
  std::array fields{&size, &packed};
  widen(View(rest).subspan(static_cast<std::size_t>(name)), fields, source);
  const bool later = (listed.flags & kHasDescriptor) != 0;
  const bool same = packed == listed.packed && size == listed.size && number(fixed, 14, 4) == listed.crc;
  const bool unsaid = later && packed == 0 && size == 0 && number(fixed, 14, 4) == 0;
  if (number(fixed, 6, 2) != listed.flags || number(fixed, 8, 2) != listed.method ||
      !std::equal(text.begin(), text.end(), listed.name.begin(), listed.name.end()) || (!same && !unsaid)) {
    damaged(source, "a member contradicts the directory");
  }
  const std::uint64_t data = listed.local + kLocalBytes + name + extra;
  load(source, data, 0);
  if (listed.packed > static_cast<std::uint64_t>(source.size()) - data)
    damaged(source, "a member lies outside the file");
  std::uint64_t end = data + listed.packed;
  const Section section{static_cast<std::int64_t>(data), static_cast<std::int64_t>(end),
                        listed.method == 0 ? Packing::none : Packing::deflate};
  if (later) end += check_descriptor(listed, end, source);
  return {
      {listed.name, section, static_cast<std::int64_t>(listed.size), static_cast<std::uint32_t>(listed.crc)},
      listed.local,
      end};
}

void check_apart(std::vector<Placed> members, std::uint64_t directory, const Source& source) {
  std::sort(members.begin(), members.end(),
            [](const Placed& a, const Placed& b) { return a.begin < b.begin; });
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint64_t next = i + 1 < members.size() ? members[i + 1].begin : directory;
    if (members[i].end > next) damaged(source, "its members overlap");
  }
  std::sort(members.begin(), members.end(),
            [](const Placed& a, const Placed& b) { return a.entry.name < b.entry.name; });
  const auto twice = std::adjacent_find(members.begin(), members.end(), [](const Placed& a, const Placed& b) {
    return a.entry.name == b.entry.name;
  });
  if (twice != members.end()) damaged(source, "two members have one name");
}

}  // namespace

std::vector<ZipEntry> zip_entries(const Source& source) {
  if (source.size() < kEndBytes)
    refuse(source.path(), "is cut short: {} bytes of a zip archive", source.size());
  const Directory directory = find_directory(source);
  const Bytes bytes = load(source, directory.offset, directory.size);
  std::vector<Placed> members;
  View rest(bytes);
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    const Listed listed = parse_listed(rest, source);
    rest = rest.subspan(listed.bytes);
    check_kind(listed, source);
    members.push_back(place(listed, source));
  }
  if (!rest.empty()) damaged(source, "its directory lists more members than it counts");
  check_apart(members, directory.offset, source);
  std::vector<ZipEntry> entries;
  for (Placed& member : members) entries.push_back(std::move(member.entry));
  return entries;
}

}  // namespace crema::files
