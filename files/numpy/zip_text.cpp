// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/zip_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include <isa-l/crc.h>
#include <unistd.h>

#include "files/format.h"
#include "files/io/sentence.h"
#include "files/io/stream.h"
#include "files/io/system/regular.h"
#include "files/numpy/npz_directory.h"

namespace crema::files {

namespace {

/// The Finder of a Mac puts a shadow of each file beside it.
bool is_shadow(const ZipEntry& entry) { return entry.name.starts_with("__MACOSX/"); }

bool is_archive(const std::filesystem::path& path) {
  const Regular file = open_regular(path);
  if (file.descriptor < 0) return false;
  std::array<char, 4> start{};
  const auto got = ::pread(file.descriptor, start.data(), start.size(), 0);
  ::close(file.descriptor);
  return got == std::ssize(start) && start == std::array{'P', 'K', '\x03', '\x04'};
}

}  // namespace

std::optional<std::string> read_zipped_text(const std::filesystem::path& path,
                                            std::span<const std::string_view> endings,
                                            std::int64_t max_memory) {
  if (!is_archive(path)) return {};
  const Source source(path);
  std::vector<ZipEntry> members = zip_entries(source);
  std::erase_if(members, [&](const ZipEntry& entry) {
    const auto fits = [&](std::string_view ending) { return entry.name.ends_with(ending); };
    return is_shadow(entry) || std::none_of(endings.begin(), endings.end(), fits);
  });
  if (members.empty())
    refuse(path, "is a zip archive without a file in {}; unpack it and name the intended file",
           fmt::join(endings, " or "));
  if (members.size() > 1)
    refuse(path, "is a zip archive with {} files, such as {} and {}; unpack it and name the intended one",
           members.size(), printable(members[0].name), printable(members[1].name));
  const ZipEntry& entry = members.front();
  check_memory(path, static_cast<double>(entry.size), {.max_memory = max_memory});
  std::string text(static_cast<std::size_t>(entry.size), '\0');
  const std::span bytes(reinterpret_cast<std::uint8_t*>(text.data()), text.size());
  Stream stream(source, entry.section);
  if (stream.read(bytes) < bytes.size())
    refuse(path, "is damaged: its member {} ends too early; copy or download it again",
           printable(entry.name));
  stream.finish();
  if (crc32_gzip_refl(0, bytes.data(), bytes.size()) != entry.crc)
    refuse(path, "is damaged: the checksum of its member {} is wrong; copy or download it again",
           printable(entry.name));
  return text;
}

}  // namespace crema::files
