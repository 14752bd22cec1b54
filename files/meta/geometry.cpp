// SPDX-License-Identifier: Apache-2.0
#include "files/meta/geometry.h"

#include <algorithm>
#include <cmath>

#include "files/affine.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// The file's coordinates run left and posterior, ours right and anterior.
constexpr Vec kSign{-1, -1, 1};

using Names = std::initializer_list<std::string_view>;

/// Digits that a writer may have left away.
constexpr double kSameNumber = 1e-6;

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::abs(x - y) <= kSameNumber * std::max(1.0, std::abs(x));
  });
}

std::string quoted(const Entry& entry) {
  return fmt::format("{} = {}", entry.name, printable(entry.text.substr(0, 60)));
}

/// So many finite numbers of an entry.
std::vector<double> numbers_of(const Entry& entry, std::size_t count, const fs::path& path) {
  auto numbers = parse_reals(entry.text);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!numbers || numbers->size() != count || !std::all_of(numbers->begin(), numbers->end(), finite))
    refuse(path, "states {}, but {} finite numbers are needed; it is damaged: copy or save it again",
           quoted(entry), count);
  return *numbers;
}

/// The same for something that goes by several names; nothing when none of them is there.
std::optional<std::vector<double>> numbers_of(const MetaHeader& header, Names names, std::size_t count,
                                              const fs::path& path) {
  std::optional<std::vector<double>> numbers;
  const Entry* first = nullptr;
  for (const Entry* const entry : header.all_of(names)) {
    const std::vector<double> more = numbers_of(*entry, count, path);
    if (numbers && !same(*numbers, more))
      refuse(path,
             "states {}, but also {}, another name for the same; delete the wrong line, or save it again",
             quoted(*first), quoted(*entry));
    if (!numbers) first = entry;
    if (!numbers) numbers = more;
  }
  return numbers;
}

std::array<std::int32_t, 3> size_of(const MetaHeader& header, const fs::path& path) {
  std::array<std::int32_t, 3> size{1, 1, 1};
  for (std::size_t a = 0; a < header.sizes.size(); ++a) {
    if (a < 3) {
      size[a] = static_cast<std::int32_t>(header.sizes[a]);
    } else if (header.sizes[a] != 1) {
      refuse(path, "holds {} volumes (DimSize along axis {}), but a mask is one; save one of them separately",
             header.sizes[a], a + 1);
    }
  }
  return size;
}

/// How thick a voxel is may differ from how far it is to the next one, which is what counts.
void warn_of_size(MetaGeometry& geometry, const std::vector<const Entry*>& entries, const fs::path& path) {
  if (entries.size() < 2) return;
  const auto apart = parse_reals(entries[0]->text), thick = parse_reals(entries[1]->text);
  if (apart && thick && same(*apart, *thick)) return;
  geometry.warnings.push_back(
      {sentence(path, "states {}, but {}; the former is used", quoted(*entries[0]), quoted(*entries[1])),
       WarningKind::geometry});
}

void set_spacing(MetaGeometry& geometry, const MetaHeader& header, const fs::path& path) {
  const std::size_t axes = header.sizes.size();
  const auto entries = header.all_of({"ElementSpacing", "ElementSize"});
  if (entries.empty()) return;
  const Entry* const entry = entries.front();
  const auto spacing = parse_reals(entry->text);
  if (!spacing || spacing->size() != axes)
    refuse(path, "states {} = {} for {} axes; it is damaged: copy or save it again", entry->name,
           printable(entry->text.substr(0, 60)), axes);
  warn_of_size(geometry, entries, path);
  geometry.measured = true;
  for (std::size_t a = 0; a < std::min<std::size_t>(axes, 3); ++a) {
    const double value = (*spacing)[a];
    const bool sound = is_length(value);
    if (!sound || value < 0)
      geometry.warnings.push_back({sentence(path, "its spacing is {} along axis {}; {} is used", value, a + 1,
                                            sound ? "its absolute value" : "1"),
                                   WarningKind::geometry});
    geometry.measured = geometry.measured && sound;
    geometry.grid.spacing[a] = sound ? std::abs(value) : 1;
  }
}

/// Each row of the file's matrix is the direction of an axis; they become columns.
void set_direction(Grid& grid, const std::vector<double>& matrix, std::size_t axes) {
  const std::size_t used = std::min<std::size_t>(axes, 3);
  for (std::size_t axis = 0; axis < used; ++axis) {
    for (std::size_t r = 0; r < used; ++r) grid.direction[3 * r + axis] = kSign[r] * matrix[axis * axes + r];
  }
}

/// Columns that are not of length one, other than by rounding, give the rest of it to the spacing.
void normalise(Grid& grid) {
  const Affine affine = affine_of(grid);
  for (std::size_t c = 0; c < 3; ++c) {
    const double length = std::hypot(grid.direction[c], grid.direction[3 + c], grid.direction[6 + c]);
    if (std::abs(length - 1) > 1e-6) return set_affine(grid, affine);
  }
}

}  // namespace

MetaGeometry meta_geometry(const MetaHeader& header, const fs::path& path) {
  const std::size_t axes = header.sizes.size();
  MetaGeometry geometry;
  geometry.grid.size = size_of(header, path);
  set_spacing(geometry, header, path);
  const auto matrix = numbers_of(header, {"TransformMatrix", "Rotation", "Orientation"}, axes * axes, path);
  const auto offset = numbers_of(header, {"Offset", "Position", "Origin"}, axes, path);
  geometry.positioned = matrix || offset;
  if (!geometry.positioned) {
    geometry.warnings.push_back(
        {sentence(path, "states no position (neither TransformMatrix nor Offset); only its spacing is used"),
         WarningKind::geometry});
    return geometry;
  }
  Grid& grid = geometry.grid;
  for (std::size_t r = 0; r < 3; ++r) grid.direction[4 * r] = kSign[r];
  if (matrix) set_direction(grid, *matrix, axes);
  if (offset) {
    for (std::size_t r = 0; r < std::min<std::size_t>(axes, 3); ++r)
      grid.origin[r] = kSign[r] * (*offset)[r] + 0.0;
  }
  if (!inverse(affine_of(grid)))
    refuse(path, "its TransformMatrix is 0 or its axes lie in a plane; it is damaged: copy or save it again");
  normalise(grid);
  return geometry;
}

}  // namespace crema::files
