// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/image/image.h"
#include "crema/reduction.h"
#include "figure/plane.h"

/// Which part of an image a picture shows.
namespace crema::plot {

/// A plane of voxels across an axis.
struct Slice {
  Axis axis = Axis::z;
  std::int32_t index = 0;

  friend bool operator==(const Slice&, const Slice&) = default;
};

/// Slices as people name them: "z=12", "z=12,13". Throws UsageError that names the range, without naming the
/// option.
std::vector<Slice> parse_slices(const std::string& text, const Grid& grid);

/// Across which axis slices are chosen: that of the largest spacing, z where several are as large.
Axis widest_axis(const Grid& grid);

/// The slice on which most pairs of raters disagree, summed over its voxels; across widest_axis().
/// Of several such slices the one with most voxels of the union, then
/// the first one. With a component it is that component's; nothing where there is no component. `among` has
/// 1 for each slice that may be chosen; empty: any.
std::optional<Slice> choose_slice(const Reduction& reduction, std::optional<std::size_t> component = {},
                                  std::span<const std::uint8_t> among = {});

/// Pairs of raters that disagree on a component, summed over its voxels.
std::int64_t disagreement(const Tally& tally);

/// How the axes lie on paper: as in the file, or as radiologists look at them: anterior or superior above,
/// the patient's right on the left.
enum class Posture : std::uint8_t { stored, anatomical };

/// The part of a slice that is shown, and how it lies on paper.
struct View {
  Slice slice;
  std::array<int, 2> axis{0, 1};                      ///< of the grid, along which columns and rows run …
  std::array<bool, 2> backwards{false, false};        ///< … or against it
  std::array<std::int32_t, 2> low{0, 0}, high{0, 0};  ///< what is shown of the two axes, half-open
  std::array<double, 2> spacing{1, 1};                ///< of columns and rows, in millimetres
  std::string letters = {};  ///< of the left, right, upper and lower edge, such as "RLAP"; empty: unknown

  [[nodiscard]] int columns() const { return high[0] - low[0]; }
  [[nodiscard]] int rows() const { return high[1] - low[1]; }
  /// The voxel of the image that a cell shows.
  [[nodiscard]] std::int64_t voxel(const Grid& grid, int column, int row) const;
};

/// A whole slice.
View whole(const Grid& grid, const Slice& slice, Posture posture);

/// The part of it around what raters drew there, with a margin; only one component's, where one is named.
/// Where nothing is drawn on the slice all of it is shown.
View around(const Reduction& reduction, View view, std::optional<std::size_t> component = {});

/// Which component and which row of its tally a cell belongs to, and what the row says; component −1: none.
struct Cell {
  std::int32_t component = -1;
  std::uint32_t row = 0;
  std::int32_t distance = 0;
  Raters raters = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

Plane<Cell> cells_of(const Reduction& reduction, const View& view);

/// The levels of an image that a view shows; 0 and 1 for a mask.
Plane<float> levels_of(const Image& image, const Grid& grid, const View& view);
Plane<float> levels_of(std::span<const float> values, const Grid& grid, const View& view);

/// "z = 12 of 0 to 31, S 24 mm": where the slice lies, in words.
std::string place_text(const Grid& grid, const View& view);

}  // namespace crema::plot
