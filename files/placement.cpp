// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <utility>

#include "files/affine.h"
#include "files/io/sentence.h"
#include "files/layout.h"

namespace crema::files {

namespace {

constexpr double kSilent = 1e-3;
constexpr double kTolerated = 0.1;

using Axes = std::array<std::size_t, 3>;

/// The signed permutation of axes nearest to the map. Axes of one voxel point nowhere and take what is left.
Axes nearest_axes(const Affine& map, const std::array<std::int32_t, 3>& size) {
  Axes best{0, 1, 2};
  double best_score = -1;
  for (const Axes& axes : {Axes{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    double score = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double length = norm(map.column(a));
      const double share = length > 0 ? std::abs(map.matrix[3 * axes[a] + a]) / length : 0;
      score += share * (size[a] > 1 ? 1 : 0.01);
    }
    if (score > best_score + 1e-9) best = axes, best_score = score;
  }
  return best;
}

/// The placement nearest to the map; offsets are rounded at the centre of the grid.
Placement nearest(const Affine& map, const std::array<std::int32_t, 3>& size) {
  const Axes axes = nearest_axes(map, size);
  Placement placement;
  Vec centre{};
  for (std::size_t a = 0; a < 3; ++a) {
    centre[a] = (size[a] - 1) / 2.0;
    placement.axis[a] = static_cast<int>(axes[a]);
    placement.sign[a] = map.matrix[3 * axes[a] + a] < 0 && size[a] > 1 ? -1 : 1;
  }
  const Vec image = map(centre);
  for (std::size_t a = 0; a < 3; ++a) {
    const double offset = std::round(image[axes[a]] - placement.sign[a] * centre[a]);
    placement.offset[axes[a]] = static_cast<std::int32_t>(std::clamp(offset, -2e9, 2e9));
  }
  return placement;
}

Affine map_of(const Placement& placement) {
  Affine map{.matrix = {}, .shift = {}};
  for (std::size_t a = 0; a < 3; ++a) {
    map.matrix[3 * static_cast<std::size_t>(placement.axis[a]) + a] = placement.sign[a];
    map.shift[a] = placement.offset[a];
  }
  return map;
}

bool is_identity(const Placement& placement) {
  return placement.axis == std::array{0, 1, 2} && placement.sign == std::array{1, 1, 1} &&
         placement.offset == std::array<std::int32_t, 3>{0, 0, 0};
}

std::string axes_text(const Placement& placement) {
  std::string text;
  for (std::size_t a = 0; a < 3; ++a) {
    text +=
        fmt::format("{}{}{}", a == 0 ? "" : " ", placement.sign[a] < 0 ? "-" : "+", "xyz"[placement.axis[a]]);
  }
  return text;
}

bool alike(double a, double b) { return std::abs(a / b - 1) <= 0.01; }

std::string spacing_text(const std::array<double, 3>& spacing) {
  return fmt::format("{:.6g}×{:.6g}×{:.6g} mm", spacing[0], spacing[1], spacing[2]);
}

/// Voxels of another size: the sentence says what differs, above all slices of another thickness.
void refuse_spacing(const Header& reference, const Header& other, const std::array<int, 3>& axis) {
  const auto known = [](const Header& header) { return header.positioned || header.measured; };
  if (!known(reference) || !known(other)) return;
  std::vector<std::size_t> differ;
  const auto of_reference = [&](std::size_t a) {
    return reference.grid.spacing[static_cast<std::size_t>(axis[a])];
  };
  for (std::size_t a = 0; a < 3; ++a)
    if (!alike(other.grid.spacing[a], of_reference(a))) differ.push_back(a);
  if (differ.empty()) return;
  const std::string slices =
      differ.size() == 1
          ? fmt::format(": its slices across {} lie {:.6g} mm apart, not {:.6g}", "xyz"[differ[0]],
                        other.grid.spacing[differ[0]], of_reference(differ[0]))
          : "";
  refuse(other.path, "{} voxels of {}, but {} is {} voxels of {}{}; resample it to that grid or leave it out",
         shape(other.grid), spacing_text(other.grid.spacing), printable(reference.path),
         shape(reference.grid), spacing_text(reference.grid.spacing), slices);
}

[[noreturn]] void refuse_size(const Header& reference, const Header& other) {
  refuse(other.path, "size {}, but {} is {}; resample it or leave it out", shape(other.grid),
         printable(reference.path), shape(reference.grid));
}

/// Neither has a say where the other lies: sizes must be equal, spacings should be.
Placement place_by_size(const Header& reference, const Header& other) {
  if (other.grid.size != reference.grid.size) {
    refuse_spacing(reference, other, {0, 1, 2});
    refuse_size(reference, other);
  }
  Placement placement;
  if (reference.format == Format::png || other.format == Format::png) return placement;
  double apart = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double ratio = other.grid.spacing[a] / reference.grid.spacing[a];
    apart = std::max(apart, std::abs(ratio - 1) * (other.grid.size[a] - 1));
  }
  const auto& s = other.grid.spacing;
  const auto& t = reference.grid.spacing;
  if (apart > kTolerated) {
    placement.warnings.push_back(
        {sentence(other.path,
                  "spacing {:.6g}×{:.6g}×{:.6g} mm, but {} has {:.6g}×{:.6g}×{:.6g}; the latter is used",
                  s[0], s[1], s[2], printable(reference.path), t[0], t[1], t[2]),
         WarningKind::geometry});
  }
  if (reference.positioned != other.positioned) {
    const Header& lost = reference.positioned ? other : reference;
    placement.warnings.push_back({sentence(lost.path, "states no position; that of {} is assumed",
                                           printable((reference.positioned ? reference : other).path)),
                                  WarningKind::geometry});
  }
  return placement;
}

/// Whether the map turns and flips axes, but neither scales nor shears: all that is wrong is a shift.
bool only_shifts(const Affine& map, const Placement& placement, const std::array<std::int32_t, 3>& size) {
  Affine turned = map_of(placement);
  turned.shift = map.shift;
  return corner_displacement(map, turned, size) <= kTolerated;
}

/// A shift is stated whole, never only what is left of it beside whole voxels.
[[noreturn]] void refuse_displacement(const Affine& map, const Placement& placement, double apart,
                                      const Header& reference, const Header& other) {
  if (only_shifts(map, placement, other.grid.size)) {
    Vec corner{};
    for (std::size_t a = 0; a < 3; ++a)
      if (placement.sign[a] < 0) corner[a] = other.grid.size[a] - 1;
    Vec low = map(corner);
    for (double& x : low) x = std::round(x * 1e4) / 1e4 + 0.0;  // no -0, and no rounding errors of headers
    refuse(other.path,
           "{} lies ({:.4g}, {:.4g}, {:.4g}) voxels away from {}, which is {}, and between its voxels; "
           "resample it "
           "to that grid or leave it out",
           shape(other.grid), low[0], low[1], low[2], printable(reference.path), shape(reference.grid));
  }
  refuse_spacing(reference, other, placement.axis);
  if (other.grid.size != reference.grid.size) refuse_size(reference, other);
  refuse(other.path,
         "lies {:.3g} voxels off the grid of {} (at most {} is tolerated); resample it to that grid", apart,
         printable(reference.path), kTolerated);
}

void check_displacement(const Affine& map, const Header& reference, const Header& other,
                        Placement& placement) {
  const double apart = corner_displacement(map, map_of(placement), other.grid.size);
  if (apart <= kSilent) return;
  if (!(apart <= kTolerated)) refuse_displacement(map, placement, apart, reference, other);
  placement.warnings.push_back(
      {sentence(other.path, "lies {:.3g} voxels off the grid of {}; treated as the same grid", apart,
                printable(reference.path)),
       WarningKind::geometry});
}

/// Of single slices only the spacing shows that they are of other images. What counts is the step from
/// voxel to voxel: where axes are sheared, files state it in more than one way.
void note_thickness(const Header& reference, const Header& other, Placement& placement) {
  const Affine own = affine_of(other.grid), theirs = affine_of(reference.grid);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto r = static_cast<std::size_t>(placement.axis[a]);
    if (other.grid.size[a] != 1 || reference.grid.size[r] != 1) continue;
    if (alike(norm(own.column(a)), norm(theirs.column(r)))) continue;
    placement.warnings.push_back(
        {sentence(other.path, "its slice is {:.6g} mm thick, that of {} {:.6g} mm; the latter is used",
                  other.grid.spacing[a], printable(reference.path), reference.grid.spacing[r]),
         WarningKind::geometry});
  }
}

/// Nothing was drawn, so that it lies nowhere.
Placement place_blank(const Header& other) {
  Placement placement;
  placement.identity = false;
  placement.warnings.push_back(
      {sentence(other.path, "it is empty and counts as an empty mask"), WarningKind::empty_mask});
  return placement;
}

template <class T>
std::vector<T> put(const Placement& placement, const Grid& reference, const Grid& other,
                   std::vector<T> voxels) {
  if (placement.identity) return voxels;
  const std::array<std::int64_t, 3> stride{1, reference.size[0],
                                           std::int64_t{reference.size[0]} * reference.size[1]};
  std::array<std::int64_t, 3> step{};
  std::int64_t start = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    step[a] = stride[static_cast<std::size_t>(placement.axis[a])] * placement.sign[a];
    start += stride[a] * placement.offset[a];
  }
  std::vector<T> result(static_cast<std::size_t>(reference.voxels()));
  const T* from = voxels.data();
  for (std::int32_t k = 0; k < other.size[2]; ++k) {
    for (std::int32_t j = 0; j < other.size[1]; ++j, from += other.size[0]) {
      T* const to = result.data() + (start + k * step[2] + j * step[1]);
      for (std::int32_t i = 0; i < other.size[0]; ++i) to[i * step[0]] = from[i];
    }
  }
  return result;
}

}  // namespace

Footprint footprint(const Placement& placement, const Grid& other) {
  Footprint result;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto r = static_cast<std::size_t>(placement.axis[a]);
    result.size[r] = other.size[a];
    result.low[r] = placement.offset[r] - (placement.sign[a] < 0 ? other.size[a] - 1 : 0);
  }
  return result;
}

Placement locate(const Header& reference, const Header& other) {
  if (other.blank && other.grid.size != reference.grid.size) return place_blank(other);
  if (!reference.positioned || !other.positioned) return place_by_size(reference, other);
  const auto to_voxels = inverse(affine_of(reference.grid));
  if (!to_voxels) return place_by_size(reference, other);
  const Affine map = compose(*to_voxels, affine_of(other.grid));
  Placement placement = nearest(map, other.grid.size);
  check_displacement(map, reference, other, placement);
  note_thickness(reference, other, placement);
  placement.identity = is_identity(placement) && other.grid.size == reference.grid.size;
  if (placement.sign != std::array{1, 1, 1} || placement.axis != std::array{0, 1, 2})
    placement.warnings.push_back({sentence(other.path, "axes lie {} in {}; reoriented exactly",
                                           axes_text(placement), printable(reference.path)),
                                  WarningKind::reoriented});
  return placement;
}

Placement place(const Header& reference, const Header& other) {
  return std::move(lay_out({&other, 1}, &reference).placements.front());
}

std::vector<std::uint8_t> apply(const Placement& placement, const Grid& reference, const Grid& other,
                                std::vector<std::uint8_t> voxels) {
  return put(placement, reference, other, std::move(voxels));
}

std::vector<std::uint16_t> apply(const Placement& placement, const Grid& reference, const Grid& other,
                                 std::vector<std::uint16_t> voxels) {
  return put(placement, reference, other, std::move(voxels));
}

std::vector<float> apply(const Placement& placement, const Grid& reference, const Grid& other,
                         std::vector<float> voxels) {
  return put(placement, reference, other, std::move(voxels));
}

}  // namespace crema::files
