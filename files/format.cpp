// SPDX-License-Identifier: Apache-2.0
#include "files/format.h"

#include <algorithm>
#include <array>
#include <string>

#include "files/dicom/dicom.h"
#include "files/meta/meta.h"
#include "files/nifti/nifti.h"
#include "files/nrrd/nrrd.h"
#include "files/nrrd/segments.h"
#include "files/numpy/npy.h"
#include "files/numpy/npy_array.h"
#include "files/numpy/npz.h"
#include "files/png/png.h"
#include "files/tiff/tiff.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kNiftiEndings{".nii.gz", ".nii", ".hdr", ".img"};
constexpr std::array<std::string_view, 1> kSegNrrdEndings{".seg.nrrd"};
constexpr std::array<std::string_view, 2> kNrrdEndings{".nrrd", ".nhdr"};
constexpr std::array<std::string_view, 2> kMetaEndings{".mha", ".mhd"};
constexpr std::array<std::string_view, 1> kDicomEndings{".dcm"};
constexpr std::array<std::string_view, 1> kPngEndings{".png"};
constexpr std::array<std::string_view, 2> kTiffEndings{".tif", ".tiff"};
constexpr std::array<std::string_view, 1> kNpyEndings{".npy"};
constexpr std::array<std::string_view, 1> kNpzEndings{".npz"};

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
    // Before NRRD, because its ending is the longer one; files are recognised by the row of NRRD.
    FormatRow{.format = Format::seg_nrrd,
              .name = "Slicer segmentation",
              .endings = kSegNrrdEndings,
              .dimensions = 3,
              .recognises = [](const Start&) { return false; },
              .claims = [](const fs::path&) { return false; },
              .header_path = [](const fs::path& path) { return path; },
              .read_header = nrrd_read_header,
              .read_mask = seg_nrrd_read_mask,
              .read_map = seg_nrrd_read_map,
              .encode = seg_nrrd_encode,
              .parts = [](const fs::path& path) { return std::vector{path}; },
              .read_headers = nrrd_read_headers,
              .sources = nrrd_sources},
    FormatRow{.format = Format::nrrd,
              .name = "NRRD",
              .endings = kNrrdEndings,
              .dimensions = 3,
              .recognises = nrrd_recognises,
              .claims = nrrd_claims,
              .header_path = [](const fs::path& path) { return path; },
              .read_header = nrrd_read_header,
              .read_mask = nrrd_read_mask,
              .read_map = nrrd_read_map,
              .encode = nrrd_encode,
              .parts = nrrd_parts,
              .read_headers = nrrd_read_headers,
              .sources = nrrd_sources},
    FormatRow{.format = Format::meta,
              .name = "MetaImage",
              .endings = kMetaEndings,
              .dimensions = 3,
              .recognises = meta_recognises,
              .claims = meta_claims,
              .header_path = [](const fs::path& path) { return path; },
              .read_header = meta_read_header,
              .read_mask = meta_read_mask,
              .read_map = meta_read_map,
              .encode = meta_encode,
              .parts = meta_parts,
              .read_headers = nullptr,
              .sources = meta_sources},
    FormatRow{.format = Format::dicom,
              .name = "DICOM segmentation",
              .endings = kDicomEndings,
              .dimensions = 3,
              .recognises = dicom_recognises,
              .claims = [](const fs::path&) { return false; },
              .header_path = [](const fs::path& path) { return path; },
              .read_header = dicom_read_header,
              .read_mask = dicom_read_mask,
              .read_map = dicom_read_map,
              .encode = dicom_encode,
              .parts = [](const fs::path& path) { return std::vector{path}; },
              .read_headers = dicom_read_headers,
              .read_folder = dicom_read_series,
              .lacks = dicom_lacks},
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
              .parts = [](const fs::path& path) { return std::vector{path}; },
              .read_headers = png_read_headers},
    FormatRow{.format = Format::tiff,
              .name = "TIFF",
              .endings = kTiffEndings,
              .dimensions = 3,
              .recognises = tiff_recognises,
              .claims = [](const fs::path&) { return false; },
              .header_path = [](const fs::path& path) { return path; },
              .read_header = tiff_read_header,
              .read_mask = tiff_read_mask,
              .read_map = tiff_read_map,
              .encode = tiff_encode,
              .parts = [](const fs::path& path) { return std::vector{path}; },
              .read_headers = tiff_read_headers},
    FormatRow{.format = Format::npy,
              .name = "NumPy array",
              .endings = kNpyEndings,
              .dimensions = 3,
              .recognises = npy_recognises,
              .claims = [](const fs::path&) { return false; },
              .header_path = [](const fs::path& path) { return path; },
              .read_header = npy_read_header,
              .read_mask = array_read_mask,
              .read_map = array_read_map,
              .encode = nullptr,
              .parts = [](const fs::path& path) { return std::vector{path}; }},
    FormatRow{.format = Format::npz,
              .name = "NumPy archive",
              .endings = kNpzEndings,
              .dimensions = 3,
              .recognises = npz_recognises,
              .claims = npz_claims,
              .header_path = [](const fs::path& path) { return path; },
              .read_header = npz_read_header,
              .read_mask = array_read_mask,
              .read_map = array_read_map,
              .encode = nullptr,
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

std::string without_ending(const std::string& file) {
  std::size_t longest = 0;
  for (const FormatRow& row : format_table())
    for (const std::string_view ending : row.endings)
      if (ends_with(file, ending) && ending.size() < file.size()) longest = std::max(longest, ending.size());
  return file.substr(0, file.size() - longest);
}

const FormatRow* row_by_ending(const fs::path& path) {
  for (const FormatRow& row : kTable) {
    for (const std::string_view ending : row.endings) {
      if (ends_with(path, ending)) return &row;
    }
  }
  return nullptr;
}

bool spacing_known(const Header& reference) {
  return reference.measured || reference.positioned ||
         reference.grid.spacing != std::array<double, 3>{1, 1, 1};
}

std::string known_endings() {
  std::string text;
  for (const FormatRow& row : kTable) {
    if (row.encode == nullptr) continue;
    for (const std::string_view ending : row.endings)
      text += (text.empty() ? "" : ", ") + std::string(ending);
  }
  return text;
}

}  // namespace crema::files
