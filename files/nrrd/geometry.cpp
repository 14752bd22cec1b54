// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/geometry.h"

#include <cmath>

#include "files/affine.h"
#include "files/io/sentence.h"
#include "files/nrrd/contradictions.h"
#include "files/nrrd/vectors.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// What turns the file's coordinates into right, anterior, superior.
struct Frame {
  Vec sign{-1, -1, 1};
  bool named = false;
};

Frame frame_of(const NrrdHeader& header) {
  const std::string name = lower_case(header.field("space").value_or(""));
  if (name == "right-anterior-superior" || name == "ras") return {{1, 1, 1}, true};
  if (name == "left-anterior-superior" || name == "las") return {{-1, 1, 1}, true};
  if (name == "left-posterior-superior" || name == "lps") return {{-1, -1, 1}, true};
  return {};
}

/// Millimetres in one of the file's units; 1 when it does not say. Units that are not known measure nothing.
double unit_of(const NrrdHeader& header, std::string_view field, NrrdGeometry& geometry,
               const fs::path& path) {
  const auto text = header.field(field);
  const auto words = words_of(text.value_or(""));
  if (words.empty()) return 1;
  for (const std::string_view word : words) {
    if (word == words.front()) continue;
    if (words.size() > 1 && (word == "\"\"" || words.front() == "\"\"")) continue;
    geometry.measured = false;
    geometry.warnings.push_back(
        {sentence(path, "has several {} ({}); millimetres are assumed", field, printable(*text)),
         WarningKind::geometry});
    return 1;
  }
  const std::string name = lower_case(words.front());
  if (name == "\"mm\"" || name == "mm" || name == "\"\"" || name == "\"millimeter\"") return 1;
  if (name == "\"m\"" || name == "m") return 1000;
  if (name == "\"cm\"" || name == "cm") return 10;
  if (name == "\"um\"" || name == "um" || name == "\"µm\"" || name == "µm" || name == "\"micron\"")
    return 0.001;
  if (name == "\"nm\"" || name == "nm") return 1e-6;
  geometry.measured = false;
  if (name == "\"pixel\"") return 1;  // said on purpose, as of pictures
  geometry.warnings.push_back(
      {sentence(path, "its {} are {}, which are unknown; millimetres are assumed", field, printable(name)),
       WarningKind::geometry});
  return 1;
}

Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void set_column(Affine& affine, std::size_t c, const Vec& v) {
  for (std::size_t r = 0; r < 3; ++r) affine.matrix[3 * r + c] = v[r];
}

Vec unit(const Vec& v) {
  const double length = norm(v);
  return length > 0 ? Vec{v[0] / length, v[1] / length, v[2] / length} : v;
}

/// Axes the file does not have stand upright on those it has, one millimetre apart.
void complete(Affine& affine, std::size_t given) {
  if (given == 1) {
    const Vec first = affine.column(0);
    const bool along_x = std::abs(first[0]) > std::abs(first[1]);
    set_column(affine, 1, unit(cross(first, along_x ? Vec{0, -1, 0} : Vec{0, 0, 1})));
  }
  if (given <= 2) set_column(affine, 2, unit(cross(affine.column(0), affine.column(1))));
}

Affine spacing_only(const NrrdHeader& header, const NrrdAxes& axes, NrrdGeometry& geometry,
                    const fs::path& path) {
  Affine affine;
  if (!header.field("spacings")) return affine;
  const std::vector<double> spacings = nrrd_numbers(header, "spacings", path);
  geometry.measured = true;
  const double scale = unit_of(header, "units", geometry, path);
  for (std::size_t i = 0; i < axes.space.size(); ++i) {
    const double spacing = spacings[axes.space[i]];
    const bool sound = is_length(spacing);
    if (!sound || spacing < 0)
      geometry.warnings.push_back({sentence(path, "its spacing is {} along axis {}; {} is used", spacing,
                                            i + 1, sound ? "its absolute value" : "1"),
                                   WarningKind::geometry});
    geometry.measured = geometry.measured && sound;
    affine.matrix[4 * i] = sound ? std::abs(spacing) * scale : 1;
  }
  return affine;
}

void check_space(std::size_t dimension, const NrrdAxes& axes, const fs::path& path) {
  if (dimension != 2 && dimension != 3)
    refuse(path, "lies in a space of {} dimensions, not 2 or 3; save it as one volume", dimension);
  if (axes.space.size() > dimension)
    refuse(path, "has {} axes in a space of {} dimensions; it is damaged: copy or save it again",
           axes.space.size(), dimension);
}

Affine from_directions(const NrrdHeader& header, const NrrdAxes& axes, NrrdGeometry& geometry,
                       const fs::path& path) {
  const NrrdVectors directions = nrrd_directions(header, path);
  const std::size_t dimension = nrrd_space_dimension(header, path);
  check_space(dimension, axes, path);
  const Frame frame = frame_of(header);
  geometry.measured = true;
  const double scale = unit_of(header, "space units", geometry, path);
  const auto turned = [&](const std::vector<double>& v) {
    Vec result{};
    for (std::size_t r = 0; r < dimension; ++r) result[r] = frame.sign[r] * v[r] * scale;
    return result;
  };
  Affine affine;
  for (std::size_t i = 0; i < axes.space.size(); ++i)
    set_column(affine, i, turned(*directions[axes.space[i]]));
  complete(affine, axes.space.size());
  const auto origin = nrrd_origin(header, path);
  if (origin) affine.shift = turned(*origin);
  if (!origin)
    geometry.warnings.push_back({sentence(path, "states no space origin; 0 is used"), WarningKind::geometry});
  if (!frame.named && dimension == 3)
    geometry.warnings.push_back(
        {sentence(
             path,
             "does not state the orientation of its space; left, posterior, superior is assumed, as in ITK"),
         WarningKind::geometry});
  if (!inverse(affine))
    refuse(path, "its space directions are 0 or lie in a plane; it is damaged: copy or save it again");
  return affine;
}

}  // namespace

NrrdGeometry nrrd_geometry(const NrrdHeader& header, const NrrdAxes& axes, const fs::path& path) {
  check_contradictions(header, path);
  NrrdGeometry geometry;
  geometry.grid.size = {1, 1, 1};
  for (std::size_t i = 0; i < axes.space.size(); ++i)
    geometry.grid.size[i] = static_cast<std::int32_t>(header.sizes[axes.space[i]]);
  geometry.positioned = header.field("space directions").has_value();
  const Affine affine = geometry.positioned ? from_directions(header, axes, geometry, path)
                                            : spacing_only(header, axes, geometry, path);
  if (!geometry.positioned)
    geometry.warnings.push_back(
        {sentence(path, "states no position (no space directions); only its spacing is used"),
         WarningKind::geometry});
  set_affine(geometry.grid, affine);
  return geometry;
}

}  // namespace crema::files
