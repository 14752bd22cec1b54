// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "files/affine.h"
#include "files/io/gzip/gzip.h"
#include "files/nifti/field.h"
#include "files/nifti/geometry.h"
#include "files/nifti/nifti.h"
#include "files/values/voxel_store.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;
using Bytes = std::vector<std::uint8_t>;

constexpr std::int32_t kMaxInVersionOne = 32767;
constexpr int kMillimetres = 2;
constexpr int kAligned = 2;  ///< NIFTI_XFORM_ALIGNED_ANAT: in some space, which is not said

/// Geometry of another file, to the bit.
void copy_geometry(Bytes& raw, const NiftiHeader& from, const NiftiLayout& at) {
  for (const NiftiField& field : {at.dim_info, at.dim, at.pixdim, at.units, at.qform_code, at.sform_code,
                                  at.quatern, at.qoffset, at.srow}) {
    copy_field(raw, from.raw, field, from.big_endian);
  }
}

void clear(Bytes& raw, const NiftiField& field) {
  for (std::size_t i = 0; i < field.count; ++i) put_real(raw, field, i, 0);
}

/// Numbers that claim a meaning they do not have, or are none.
template <std::size_t N>
bool spoilt(const std::array<double, N>& numbers, int code, bool usable) {
  return (code > 0 && !usable) ||
         !std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

/// What could not be used is not handed on: a result with a NaN in its sform is one that others cannot read.
void mend_geometry(Bytes& raw, const NiftiHeader& from, const NiftiLayout& at) {
  const NiftiUsable usable = nifti_usable(from);
  if (spoilt(from.srow, from.sform_code, usable.sform)) {
    put_integer(raw, at.sform_code, 0, 0);
    clear(raw, at.srow);
  }
  if (spoilt(from.quatern, from.qform_code, usable.qform) || spoilt(from.qoffset, 0, true)) {
    put_integer(raw, at.qform_code, 0, 0);
    clear(raw, at.quatern);
    clear(raw, at.qoffset);
  }
  if (!std::isfinite(from.pixdim[0])) put_real(raw, at.pixdim, 0, 1);
  for (std::size_t i = 0; i < 3 && static_cast<int>(i) < from.dimensions; ++i)
    if (from.pixdim[i + 1] != usable.spacing[i]) put_real(raw, at.pixdim, i + 1, usable.spacing[i]);
}

/// Trailing dimensions of one voxel, which reading dropped, stay dropped.
void drop_dimensions(Bytes& raw, const NiftiHeader& from, const NiftiLayout& at) {
  if (from.dimensions <= 3) return;
  put_integer(raw, at.dim, 0, 3);
  for (std::size_t i = 4; i < 8; ++i) put_integer(raw, at.dim, i, 1);
}

/// A rotation, perhaps with the third axis turned round, as NIfTI's quaternion (b, c, d).
struct Quaternion {
  std::array<double, 3> bcd{0, 0, 0};
  double third = 1;  ///< −1 when the third axis is turned round
};

/// The directions as a quaternion, if they are at right angles.
std::optional<Quaternion> quaternion_of(std::array<double, 9> r) {
  constexpr double kRight = 1e-6;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double dot = r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j];
      if (!(std::abs(dot - (i == j ? 1 : 0)) <= kRight)) return std::nullopt;
    }
  Quaternion q;
  const double det = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                     r[2] * (r[3] * r[7] - r[4] * r[6]);
  if (det < 0) {
    q.third = -1;
    for (const std::size_t i : {2U, 5U, 8U}) r[i] = -r[i];
  }
  const double trace = r[0] + r[4] + r[8];
  const double a = std::sqrt(std::max(0.0, 1 + trace)) / 2;
  if (a > 0.25) {
    q.bcd = {(r[7] - r[5]) / (4 * a), (r[2] - r[6]) / (4 * a), (r[3] - r[1]) / (4 * a)};
    return q;
  }
  // Near half a turn a is small: the largest of the others is safe to divide by.
  const std::size_t i = r[0] >= r[4] && r[0] >= r[8] ? 0 : r[4] >= r[8] ? 1 : 2;
  const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
  const double large = std::sqrt(1 + r[4 * i] - r[4 * j] - r[4 * k]) / 2;
  q.bcd[i] = large;
  q.bcd[j] = (r[3 * i + j] + r[3 * j + i]) / (4 * large);
  q.bcd[k] = (r[3 * i + k] + r[3 * k + i]) / (4 * large);
  // NIfTI takes the first number of a quaternion as positive.
  if (r[3 * k + j] < r[3 * j + k])
    for (double& part : q.bcd) part = -part;
  return q;
}

/// The same place as qform, since some readers look at it alone.
void put_quaternion(Bytes& raw, const Grid& grid, const NiftiLayout& at) {
  const auto q = quaternion_of(grid.direction);
  if (!q) return;
  put_integer(raw, at.qform_code, 0, kAligned);
  put_real(raw, at.pixdim, 0, q->third);
  for (std::size_t i = 0; i < 3; ++i) {
    put_real(raw, at.quatern, i, q->bcd[i]);
    put_real(raw, at.qoffset, i, grid.origin[i]);
  }
}

/// Geometry of a grid, as sform; one that is not positioned has its spacing alone.
void put_geometry(Bytes& raw, const Header& reference, const NiftiLayout& at) {
  const Grid& grid = reference.grid;
  put_integer(raw, at.dim, 0, grid.flat() ? 2 : 3);
  put_real(raw, at.pixdim, 0, 1);
  for (std::size_t i = 1; i < 8; ++i) {
    put_integer(raw, at.dim, i, i <= 3 ? grid.size[i - 1] : 1);
    put_real(raw, at.pixdim, i, i <= 3 ? grid.spacing[i - 1] : 1);
  }
  if (spacing_known(reference)) put_integer(raw, at.units, 0, kMillimetres);
  const bool placed = reference.positioned || reference.format == Format::nifti;
  put_integer(raw, at.sform_code, 0, placed ? kAligned : 0);
  const Affine affine = affine_of(grid);
  for (std::size_t i = 0; i < 12; ++i) {
    put_real(raw, at.srow, i, i % 4 == 3 ? affine.shift[i / 4] : affine.matrix[3 * (i / 4) + i % 4]);
  }
  if (placed) put_quaternion(raw, grid, at);
}

void put_text(Bytes& raw, const NiftiField& field, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) raw[field.offset + i] = static_cast<std::uint8_t>(text[i]);
}

/// The highest value that a viewer should show: 1 for masks and maps.
double highest(const Header& reference) {
  std::int64_t most = 1;
  for (const SegmentInfo& segment : reference.segments) most = std::max(most, segment.value);
  return static_cast<double>(most);
}

void put_meaning(Bytes& raw, const NiftiLayout& at, const Image& image, const Header& reference,
                 std::size_t offset) {
  constexpr std::array<std::array<int, 2>, 3> types{{{2, 8}, {16, 32}, {512, 16}}};  // as in Image
  put_integer(raw, {0, 4, 1, false}, 0, static_cast<std::int64_t>(at.size));
  put_integer(raw, at.datatype, 0, types.at(image.index())[0]);
  put_integer(raw, at.bitpix, 0, types.at(image.index())[1]);
  put_real(raw, at.vox_offset, 0, static_cast<double>(offset));
  put_real(raw, at.slope, 0, 1);
  put_real(raw, at.cal_max, 0, highest(reference));
  put_text(raw, at.descrip, reference.consensus ? kConsensusMark : "crema"sv);
}

/// A header for the image, little-endian, with the four bytes that say there are no extensions.
Bytes make_header(const Image& image, const Header& reference, bool pair) {
  const auto* const native =
      reference.format == Format::nifti ? static_cast<const NiftiNative*>(reference.native.get()) : nullptr;
  const auto& size = reference.grid.size;
  const int version = native != nullptr ? native->header.version
                      : *std::max_element(size.begin(), size.end()) > kMaxInVersionOne ? 2
                                                                                       : 1;
  const NiftiLayout& at = nifti_layout(version);
  Bytes raw(at.size + 4);
  if (native != nullptr) {
    copy_geometry(raw, native->header, at);
    mend_geometry(raw, native->header, at);
    drop_dimensions(raw, native->header, at);
  } else {
    put_geometry(raw, reference, at);
  }
  if (reference.channels > 1) {
    put_integer(raw, at.dim, 0, 4);
    put_integer(raw, at.dim, 4, reference.channels);
    put_real(raw, at.pixdim, 4, 1);
  }
  put_meaning(raw, at, image, reference, pair ? 0 : raw.size());
  put_text(raw, at.magic, version == 2 ? "n+2\0\r\n\032\n"sv : "n+1"sv);
  if (pair) raw[at.magic.offset + 1] = 'i';
  return raw;
}

}  // namespace

std::vector<fs::path> nifti_parts(const fs::path& path) {
  if (!ends_with(path, ".hdr") && !ends_with(path, ".img")) return {path};
  const bool upper = path.extension() == ".HDR" || path.extension() == ".IMG";
  return {fs::path(path).replace_extension(upper ? ".IMG" : ".img"),
          fs::path(path).replace_extension(upper ? ".HDR" : ".hdr")};
}

Encoded nifti_encode(const fs::path& path, const Image& image, const Header& reference) {
  const std::vector<fs::path> parts = nifti_parts(path);
  const bool pair = parts.size() == 2;
  Encoded encoded;
  encoded.owned.push_back(make_header(image, reference, pair));
  const std::array pieces{Piece(encoded.owned[0]), piece_of(image)};
  if (pair) {
    encoded.outputs = {{parts[0], {pieces[1].bytes}}, {parts[1], {pieces[0].bytes}}};
  } else if (ends_with(path, ".gz")) {
    encoded.owned.push_back(gzip(pieces));
    encoded.outputs = {{path, {encoded.owned.back()}}};
  } else {
    encoded.outputs = {{path, {pieces[0].bytes, pieces[1].bytes}}};
  }
  return encoded;
}

}  // namespace crema::files
