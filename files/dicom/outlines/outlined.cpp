// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/outlines/outlined.h"

#include <algorithm>
#include <cmath>

#include "crema/base/text.h"
#include "files/dicom/outlines/structures.h"
#include "files/dicom/read.h"
#include "files/io/sentence.h"

namespace crema::files::dicom {
namespace {

namespace fs = std::filesystem;

/// As grids are compared: so far from its slice an outline may lie, in slices.
constexpr double kSilent = 1e-3, kTolerated = 0.1;
/// Coordinates are taken to this part of a voxel, so that a point on a centre stays there.
constexpr double kPerVoxel = 1e4;
/// Farther away, in voxels, nothing is drawn.
constexpr double kFar = 1e9;

/// What is said of a structure once.
struct Found {
  double off_slice = 0;  ///< the most
  std::int64_t cut = 0;  ///< outlines that reach beyond the grid
};

void check_frame(const Structure& structure, const Header& like, const fs::path& path) {
  const std::string &own = structure.frame_of_reference, &others = like.frame_of_reference;
  if (own.empty() || others.empty() || own == others) return;
  refuse(path,
         "'{}' was drawn in the frame of reference {}, but {} has {}; give the series on which it was drawn",
         printable(structure.name), printable(own), printable(like.path), printable(others));
}

class Placer {
 public:
  Placer(const Header& like, const fs::path& path)
      : like_(like), path_(path), size_(like.grid.size), to_voxels_(voxels_of(like)) {}

  OutlinedSlices place(const Structure& structure, Found& found) const {
    OutlinedSlices slices(static_cast<std::size_t>(size_[2]));
    for (std::size_t n = 0; n < structure.outlines.size(); ++n) {
      Polygon polygon;
      const std::int32_t slice = flatten(structure, n, polygon, found);
      found.cut += reaches_out(polygon) ? 1 : 0;
      slices[static_cast<std::size_t>(slice)].push_back(std::move(polygon));
    }
    return slices;
  }

 private:
  static Affine voxels_of(const Header& like) {
    const auto inverted = inverse(affine_of(like.grid));
    if (!inverted) refuse(like.path, "its grid has no usable axes, so no outline can be drawn on it");
    return *inverted;
  }

  /// The outline in its slice, whose number is returned.
  std::int32_t flatten(const Structure& structure, std::size_t n, Polygon& polygon, Found& found) const {
    double low = 1e300, high = -1e300;
    for (const Vec& point : structure.outlines[n]) {
      const Vec voxel = to_voxels_({-point[0], -point[1], point[2]});
      if (!(std::abs(voxel[0]) < kFar && std::abs(voxel[1]) < kFar && std::abs(voxel[2]) < kFar))
        refuse_outline(structure, n, "lies outside of", voxel[2]);
      polygon.push_back(
          {std::round(voxel[0] * kPerVoxel) / kPerVoxel, std::round(voxel[1] * kPerVoxel) / kPerVoxel});
      low = std::min(low, voxel[2]);
      high = std::max(high, voxel[2]);
    }
    const double middle = low + (high - low) / 2;
    const double slice = std::round(middle);
    if (!(slice >= 0 && slice < size_[2])) refuse_outline(structure, n, "lies outside of", middle);
    const double off = std::max(std::abs(low - slice), std::abs(high - slice));
    if (high - low > 2 * kTolerated) refuse_outline(structure, n, "is not parallel to the slices of", middle);
    if (off > kTolerated) refuse_outline(structure, n, "lies between the slices of", middle);
    found.off_slice = std::max(found.off_slice, off);
    return static_cast<std::int32_t>(slice);
  }

  [[noreturn]] void refuse_outline(const Structure& structure, std::size_t n, std::string_view what,
                                   double slice) const {
    refuse(path_,
           "outline {} of '{}' {} {} (at slice {:.3g} of 0 to {}); give the image on which it was drawn",
           n + 1, printable(structure.name), what, printable(like_.path), slice, size_[2] - 1);
  }

  [[nodiscard]] bool reaches_out(const Polygon& polygon) const {
    return std::any_of(polygon.begin(), polygon.end(), [&](const Point& p) {
      return p.x < -0.5 || p.y < -0.5 || p.x > size_[0] - 0.5 || p.y > size_[1] - 0.5;
    });
  }

  const Header& like_;
  const fs::path& path_;
  std::array<std::int32_t, 3> size_;
  Affine to_voxels_;
};

Warning rule(const Header& like, const fs::path& path) {
  return {sentence(path,
                   "its outlines were drawn on the grid of {}: a voxel is inside if its centre is "
                   "(even-odd); other programs' rules differ along the border",
                   printable(like.path)),
          WarningKind::geometry};
}

void warn(const Structure& structure, const Found& found, const Header& like, const fs::path& path,
          Warnings& warnings) {
  if (structure.left_out > 0)
    warnings.push_back({sentence(path, "{} no area ({}) and {} left out",
                                 counted(structure.left_out, "outline bounds", "outlines bound"),
                                 structure.unfilled.empty() ? "fewer than three points"
                                                            : "of the type " + printable(structure.unfilled),
                                 structure.left_out == 1 ? "is" : "are"),
                        WarningKind::left_out});
  if (found.off_slice > kSilent)
    warnings.push_back(
        {sentence(path,
                  "its outlines lie up to {:.2g} slices off the slices of {}; they were moved to the nearest",
                  found.off_slice, printable(like.path)),
         WarningKind::geometry});
  if (found.cut > 0)
    warnings.push_back(
        {sentence(path, "{} beyond the grid of {}; that part is cut off",
                  counted(found.cut, "outline reaches", "outlines reach"), printable(like.path)),
         WarningKind::geometry});
}

PlacedStructure placed(const Structure& structure, const Placer& placer, const Header& like,
                       const fs::path& path) {
  PlacedStructure result;
  try {
    Found found;
    check_frame(structure, like, path);
    result.slices = placer.place(structure, found);
    warn(structure, found, like, path.string() + "#" + structure.name, result.warnings);
  } catch (const InputError& error) {
    result.refusal = error.what();
  }
  return result;
}

Header common_header(const StructureSet& set, const Header& like, const fs::path& path) {
  Header header;
  header.path = path;
  header.format = Format::dicom;
  header.grid = like.grid;
  header.positioned = like.positioned;
  header.measured = like.measured;
  header.type = "DICOM outlines";
  for (std::size_t s = 0; s < set.structures.size(); ++s)
    header.segments.push_back({.name = set.structures[s].name,
                               .id = std::to_string(set.structures[s].number),
                               .colour = set.structures[s].colour,
                               .layer = static_cast<std::int64_t>(s),
                               .value = static_cast<std::int64_t>(s) + 1});
  return header;
}

}  // namespace

std::vector<Header> outlined_headers(const Source& source, std::string_view syntax,
                                     const ReadOptions& options) {
  const fs::path& path = source.path();
  if (options.like == nullptr)
    refuse(path,
           "is an RT structure set, whose outlines have no grid; give the image, or the folder of the "
           "series, on which they were drawn with {}",
           Sentence::setting("like"));
  const StructureSet set = read_structures(source, syntax, options);
  const Header& like = *options.like;
  auto outlined = std::make_shared<Outlined>();
  outlined->grid = like.grid;
  const Placer placer(like, path);
  for (const Structure& structure : set.structures)
    outlined->structures.push_back(placed(structure, placer, like, path));
  Header common = common_header(set, like, path);
  common.warnings = set.warnings;
  common.warnings.push_back(rule(like, path));
  std::vector<Header> headers;
  for (std::size_t s = 0; s < set.structures.size(); ++s) {
    Header header = common;
    header.name = set.structures[s].name;
    header.native = std::make_shared<SegmentNative>(
        SegmentNative{.file = {}, .segment = s, .series = {}, .outlined = outlined});
    headers.push_back(std::move(header));
    common.warnings.clear();  // what is true of the file is said once
  }
  return headers;
}

void draw_slices(const Outlined& outlined, std::size_t number,
                 const std::function<void(std::span<const std::uint8_t>)>& take) {
  if (const std::string& why = outlined.structures[number].refusal; !why.empty()) throw InputError(why);
  const auto& size = outlined.grid.size;
  std::vector<std::uint8_t> slice(static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]));
  for (const std::vector<Polygon>& polygons : outlined.structures[number].slices) {
    std::fill(slice.begin(), slice.end(), std::uint8_t{0});
    for (const Polygon& polygon : polygons) invert_inside(polygon, size[0], size[1], slice);
    take(slice);
  }
}

}  // namespace crema::files::dicom
