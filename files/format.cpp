// SPDX-License-Identifier: Apache-2.0
#include "files/format.h"

#include <algorithm>
#include <array>
#include <string>

#include "files/nifti.h"
#include "files/png.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kNiftiEndings{".nii.gz", ".nii", ".hdr", ".img"};
constexpr std::array<std::string_view, 1> kPngEndings{".png"};

constexpr std::array kTable{
    FormatRow{.format = Format::nifti,
              .name = "NIfTI",
              .endings = kNiftiEndings,
              .dimensions = 3,
              .recognises = nifti_recognises,
              .claims = nifti_claims,
              .header_path = nifti_header_path,
              .read_header = nifti_read_header,
              .read_mask = nifti_read_mask,
              .read_map = nifti_read_map,
              .encode = nifti_encode,
              .parts = nifti_parts},
    FormatRow{.format = Format::png,
              .name = "PNG",
              .endings = kPngEndings,
              .dimensions = 2,
              .recognises = png_recognises,
              .claims = png_claims,
              .header_path = [](const fs::path& path) { return path; },
              .read_header = png_read_header,
              .read_mask = png_read_mask,
              .read_map = png_read_map,
              .encode = png_encode,
              .parts = [](const fs::path& path) { return std::vector{path}; }},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::span<const FormatRow> format_table() { return kTable; }

const FormatRow& row_of(Format format) {
  return *std::find_if(kTable.begin(), kTable.end(),
                       [&](const FormatRow& row) { return row.format == format; });
}

bool ends_with(const fs::path& path, std::string_view ending) {
  const std::string name = path.filename().string();
  if (name.size() <= ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return lower(a) == lower(b); });
}

const FormatRow* row_by_ending(const fs::path& path) {
  for (const FormatRow& row : kTable) {
    for (const std::string_view ending : row.endings) {
      if (ends_with(path, ending)) return &row;
    }
  }
  return nullptr;
}

std::string known_endings() {
  std::string text;
  for (const FormatRow& row : kTable) {
    for (const std::string_view ending : row.endings)
      text += (text.empty() ? "" : ", ") + std::string(ending);
  }
  return text;
}

}  // namespace crema::files
