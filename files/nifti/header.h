// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "crema/base/warning.h"
#include "files/values/values.h"

namespace crema::files {

/// Where a field stands in a NIfTI header, and how it is stored.
struct NiftiField {
  std::size_t offset;
  std::size_t width;  ///< bytes of one element
  std::size_t count;
  bool real;  ///< floating point, else a signed integer (one byte: unsigned)
};

/// The two layouts of the standard; only what is read or written here.
struct NiftiLayout {
  int version;
  std::size_t size;  ///< of the header proper
  NiftiField magic, dim_info, dim, datatype, bitpix, pixdim, vox_offset, slope, intercept, units, cal_max,
      descrip, qform_code, sform_code, quatern, qoffset, srow;
};

const NiftiLayout& nifti_layout(int version);

/// A header with every number checked that reading the voxels depends on.
struct NiftiHeader {
  std::vector<std::uint8_t> raw;  ///< as in the file
  int version = 1;
  bool big_endian = false;
  bool pair = false;   ///< voxels lie in a file of their own
  int dimensions = 3;  ///< dim[0]
  std::array<std::int32_t, 3> size{1, 1, 1};
  std::int32_t channels = 1;  ///< along the axis behind those of space
  ValueType type;
  std::int64_t data_offset = 0;
  std::int64_t data_bytes = 0;
  int units = 0;
  std::array<double, 8> pixdim{};
  int qform_code = 0, sform_code = 0;
  std::array<double, 3> quatern{}, qoffset{};
  std::array<double, 12> srow{};
  Warnings warnings;
};

inline constexpr std::size_t kNiftiLargestHeader = 540;

/// True when the first bytes of the content claim to be NIfTI-1, NIfTI-2 or Analyze 7.5, however damaged.
bool looks_like_nifti(std::span<const std::uint8_t> start);

/// Parses the first bytes of the content, at most kNiftiLargestHeader of them. Throws InputError on whatever
/// does not hold together. An image of one dimension is taken as one row.
NiftiHeader parse_nifti(std::span<const std::uint8_t> start, const std::filesystem::path& path,
                        const ReadOptions& options);

}  // namespace crema::files
