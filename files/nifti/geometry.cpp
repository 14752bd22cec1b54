// SPDX-License-Identifier: Apache-2.0
#include "files/nifti/geometry.h"

#include "files/affine.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

constexpr double kSameVoxel = 0.1;
/// Rounding of a unit quaternion to float32 stays far below this.
constexpr double kQuaternionSlack = 1e-3;

double millimetres(const NiftiHeader& header) {
  if (header.units == 1) return 1000;
  if (header.units == 3) return 0.001;
  return 1;
}

/// Spacing along the three axes, every one of them usable: its absolute value, or 1 where there is none.
Vec spacing_of(const NiftiHeader& header) {
  Vec spacing{1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = std::abs(header.pixdim[i + 1]);
    if (is_length(value)) spacing[i] = value;
  }
  return spacing;
}

/// Whether the file's own spacing can be used as it stands; axes it does not have do not count.
bool sound_spacing(const NiftiHeader& header) {
  for (int i = 1; i <= std::min(3, header.dimensions); ++i) {
    const double value = header.pixdim[static_cast<std::size_t>(i)];
    if (!is_length(value) || value < 0) return false;
  }
  return true;
}

bool lost_spacing(const NiftiHeader& header) {
  for (int i = 1; i <= std::min(3, header.dimensions); ++i) {
    const double value = header.pixdim[static_cast<std::size_t>(i)];
    if (!is_length(value)) return true;
  }
  return false;
}

std::optional<Affine> sform(const NiftiHeader& header) {
  Affine affine;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) affine.matrix[3 * r + c] = header.srow[4 * r + c];
    affine.shift[r] = header.srow[4 * r + 3];
  }
  if (header.sform_code <= 0 || !inverse(affine)) return {};
  return affine;
}

/// The rotation of a unit quaternion given by its last three parts.
std::optional<std::array<double, 9>> rotation(double b, double c, double d) {
  const double rest = 1 - (b * b + c * c + d * d);
  if (!(rest > -kQuaternionSlack)) return {};
  double a = 0;
  if (rest < 1e-7) {
    const double scale = 1 / std::sqrt(b * b + c * c + d * d);
    b *= scale, c *= scale, d *= scale;
  } else {
    a = std::sqrt(rest);
  }
  return std::array<double, 9>{
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a + c * c - b * b - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a + d * d - b * b - c * c};
}

std::optional<Affine> qform(const NiftiHeader& header) {
  if (header.qform_code <= 0 || lost_spacing(header)) return {};
  const auto turn = rotation(header.quatern[0], header.quatern[1], header.quatern[2]);
  if (!turn) return {};
  const Vec spacing = spacing_of(header);
  const double qfac = header.pixdim[0] < 0 ? -1 : 1;
  Affine affine;
  for (std::size_t i = 0; i < 9; ++i) {
    affine.matrix[i] = (*turn)[i] * spacing[i % 3] * (i % 3 == 2 ? qfac : 1);
  }
  affine.shift = header.qoffset;
  if (!inverse(affine)) return {};
  return affine;
}

Affine scaled(Affine affine, double factor) {
  for (double& entry : affine.matrix) entry *= factor;
  for (double& entry : affine.shift) entry *= factor;
  return affine;
}

/// What of the header had to be passed over.
Warnings warnings_on(const NiftiHeader& header, const std::optional<Affine>& s,
                     const std::optional<Affine>& q, const std::filesystem::path& path) {
  Warnings warnings;
  const auto* const instead = s ? "the sform" : q ? "the qform" : "the spacing";
  if (header.sform_code > 0 && !s) {
    warnings.push_back(
        {sentence(path, "its sform is not finite or singular; {} is used", instead), WarningKind::geometry});
  }
  if (header.qform_code > 0 && !q) {
    warnings.push_back(
        {sentence(path, "its qform is not valid; {} is used", instead), WarningKind::geometry});
  }
  if (!sound_spacing(header)) {
    warnings.push_back(
        {sentence(path, "its spacing is {} × {} × {}; {}", header.pixdim[1], header.pixdim[2],
                  header.pixdim[3], s ? "the sform is used" : "absolute values are used, 1 for none"),
         WarningKind::geometry});
  }
  if (header.sform_code <= 0 && header.qform_code <= 0) {
    warnings.push_back(
        {sentence(path, "states no position (qform and sform code 0); only its spacing is used"),
         WarningKind::geometry});
  }
  return warnings;
}

/// A spacing of 1 in no unit, of an image that lies nowhere, is what a header holds before anything is set.
bool measured(const NiftiHeader& header, bool positioned) {
  if (positioned || lost_spacing(header)) return positioned;
  return header.units != 0 || spacing_of(header) != Vec{1, 1, 1};
}

/// The spacing that the sform implies, held against the one stated beside it.
void compare_spacing(const NiftiHeader& header, const Affine& s, const std::filesystem::path& path,
                     Warnings& warnings) {
  if (!sound_spacing(header)) return;
  const Vec stated = spacing_of(header);
  double apart = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::min(3, header.dimensions)); ++i)
    apart = std::max(apart, std::abs(stated[i] / norm(s.column(i)) - 1) * header.size[i]);
  if (apart <= kSameVoxel) return;
  warnings.push_back(
      {sentence(path,
                "its spacing is {:.6g} × {:.6g} × {:.6g}, but its sform says {:.6g} × {:.6g} × "
                "{:.6g}; the sform is used",
                stated[0], stated[1], stated[2], norm(s.column(0)), norm(s.column(1)), norm(s.column(2))),
       WarningKind::geometry});
}

}  // namespace

NiftiGeometry nifti_geometry(const NiftiHeader& header, const std::filesystem::path& path) {
  const std::optional<Affine> s = sform(header), q = qform(header);
  NiftiGeometry result;
  result.grid.size = header.size;
  result.positioned = s || q;
  result.warnings = warnings_on(header, s, q, path);
  if (s && q) {
    const double apart = corner_displacement({}, compose(*inverse(*s), *q), header.size);
    if (apart > kSameVoxel) {
      result.warnings.push_back(
          {sentence(path, "qform and sform disagree by up to {:.3g} voxels; the sform is used", apart),
           WarningKind::geometry});
    }
  }
  if (s && !q) compare_spacing(header, *s, path, result.warnings);
  result.measured = measured(header, result.positioned);
  Affine spacing_only;
  for (std::size_t i = 0; i < 3; ++i) spacing_only.matrix[4 * i] = spacing_of(header)[i];
  set_affine(result.grid, scaled(s ? *s : q ? *q : spacing_only, millimetres(header)));
  return result;
}

NiftiUsable nifti_usable(const NiftiHeader& header) {
  const auto s = sform(header), q = qform(header);
  Vec spacing = spacing_of(header);
  for (std::size_t i = 0; i < 3; ++i) {
    const bool stated = header.pixdim[i + 1] > 0 && std::isfinite(header.pixdim[i + 1]);
    if (s && !q && !stated) spacing[i] = norm(s->column(i));
  }
  return {s.has_value(), q.has_value(), spacing};
}

}  // namespace crema::files
