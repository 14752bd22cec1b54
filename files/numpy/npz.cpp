// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npz.h"

#include <algorithm>
#include <string_view>

#include "files/io/sentence.h"
#include "files/io/stream.h"
#include "files/numpy/npy_array.h"
#include "files/numpy/npz_directory.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kEnding = ".npy";
constexpr std::size_t kMaxListed = 12;

/// What nnU-Net calls the array of one probability for each class and voxel, today and formerly.
constexpr std::array kClassNames{"probabilities"sv, "softmax"sv};

std::string_view array_name(const ZipEntry& entry) {
  return std::string_view(entry.name).substr(0, entry.name.size() - kEnding.size());
}

bool holds_classes(const ZipEntry& entry) {
  return std::find(kClassNames.begin(), kClassNames.end(), array_name(entry)) != kClassNames.end();
}

std::string list(const std::vector<ZipEntry>& arrays) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMaxListed, arrays.size()); ++i)
    text += (i == 0 ? "" : ", ") + printable(std::string(array_name(arrays[i])));
  return arrays.size() > kMaxListed ? text + " …" : text;
}

/// The one array, or the one of probabilities.
ZipEntry choose(std::vector<ZipEntry> arrays, const std::filesystem::path& path) {
  std::erase_if(arrays, [](const ZipEntry& entry) { return !entry.name.ends_with(kEnding); });
  if (arrays.empty()) refuse(path, "is a zip archive without NumPy arrays; unpack it first");
  if (arrays.size() == 1) return arrays.front();
  const auto classes = std::count_if(arrays.begin(), arrays.end(), holds_classes);
  if (classes != 1)
    refuse(path, "holds {} arrays ({}), none of them called probabilities; save the intended one separately",
           arrays.size(), list(arrays));
  return *std::find_if(arrays.begin(), arrays.end(), holds_classes);
}

}  // namespace

/// A zip archive whose first member is an array; others are left to whoever unpacks them.
bool npz_recognises(const Start& start) {
  constexpr std::size_t fixed = 30;
  const auto& bytes = start.bytes;
  if (start.compressed || bytes.size() < fixed) return false;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t name = bytes[26] | std::size_t{bytes[27]} << 8;
  return text.starts_with("PK\x03\x04"sv) && text.substr(fixed).size() >= name &&
         text.substr(fixed, name).ends_with(kEnding);
}

bool npz_claims(const std::filesystem::path& path) { return ends_with(path, ".npz"); }

Header npz_read_header(const Source& source, const ReadOptions& options) {
  const ZipEntry entry = choose(zip_entries(source), source.path());
  NpyArray array;
  array.section = entry.section;
  array.bytes = entry.size;
  array.crc = entry.crc;
  std::vector<std::uint8_t> start(
      static_cast<std::size_t>(std::min<std::int64_t>(entry.size, kNpyLongestHeader)));
  start.resize(Stream(source, entry.section).read(start));
  array.header = parse_npy(start, source.path());
  if (holds_classes(entry) && array.header.shape.size() == 4) array.classes = array.header.shape.front();
  return array_header(std::move(array), Format::npz, source, options);
}

}  // namespace crema::files
