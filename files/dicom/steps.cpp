// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

namespace fs = std::filesystem;

/// Of the distance between slices, or of a pixel: up to here nothing is said, and up to here a warning.
constexpr double kSilent = 1e-3, kTolerated = 0.1;
/// Of the thickness of a slice: what is no more beside its multiple is one.
constexpr double kPlain = 0.01;

double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec along(const Vec& from, const Vec& step, double times) {
  return {from[0] + times * step[0], from[1] + times * step[1], from[2] + times * step[2]};
}

/// How far each frame lies along the normal.
std::vector<double> heights_of(const Segmentation& file, const Plane& plane) {
  std::vector<double> heights;
  for (const Frame& frame : file.frames) heights.push_back(dot(*frame.position, plane.normal));
  return heights;
}

/// The smallest distance between two frames of one segment, or between any two where each segment has one
/// alone; 0 where all lie in one place.
double smallest_gap(const Segmentation& file, const std::vector<double>& heights, double same) {
  const auto gap_within = [same](std::vector<double>& values, double smallest) {
    std::sort(values.begin(), values.end());
    for (std::size_t i = 1; i < values.size(); ++i) {
      const double gap = values[i] - values[i - 1];
      if (gap > same && (smallest == 0 || gap < smallest)) smallest = gap;
    }
    return smallest;
  };
  std::map<int, std::vector<double>> of_segment;
  for (std::size_t f = 0; f < heights.size(); ++f)
    of_segment[file.frames[f].segment.value_or(0)].push_back(heights[f]);
  double smallest = 0;
  for (auto& [segment, values] : of_segment) smallest = gap_within(values, smallest);
  std::vector<double> all = heights;
  return smallest > 0 ? smallest : gap_within(all, 0);
}

double stated_spacing(const Segmentation& file, const fs::path& path) {
  const auto stated = file.measures.between_slices;
  if (!stated) return 0;
  if (!is_length(*stated) || *stated < 0)
    refuse(path, "its slices lie {} mm apart (0018,0088); it is damaged: copy or save it again", *stated);
  return *stated;
}

/// What a slice is thick; 0: the file does not say.
double thickness_of(const Segmentation& file) {
  const double thickness = file.measures.thickness.value_or(0);
  return thickness > 0 && is_length(thickness) ? thickness : 0;
}

/// How far the slices of that grid lie apart, across these planes.
double spacing_across(const Grid& grid, const Plane& plane) {
  double most = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const Vec axis{-grid.direction[a], -grid.direction[3 + a], grid.direction[6 + a]};
    most = std::max(most, grid.spacing[a] * std::abs(dot(axis, plane.normal)));
  }
  return most;
}

/// Whether frames lie whole multiples of it apart.
bool is_lattice(std::vector<double> heights, double spacing, double tolerated, double same) {
  std::sort(heights.begin(), heights.end());
  for (std::size_t i = 1; i < heights.size(); ++i) {
    const double times = (heights[i] - heights[i - 1]) / spacing;
    if (times * spacing > same && (times < 1 - tolerated || std::abs(times - std::round(times)) > tolerated))
      return false;
  }
  return true;
}

/// How far slices lie apart, and what says so.
struct Spacing {
  double length = 1;
  enum class Source : std::uint8_t { file, image, thickness, frames } source = Source::file;
};

/// Since frames are left out where nothing was drawn, the distance between them may be a multiple.
Spacing spacing_of(const Segmentation& file, const Plane& plane, const Grid* image,
                   const std::vector<double>& heights, double stated, double smallest, double same) {
  if (stated > 0) return {stated, Spacing::Source::file};
  const double across = image == nullptr ? 0 : spacing_across(*image, plane);
  if (across > 0 && is_lattice(heights, across, kTolerated, same)) return {across, Spacing::Source::image};
  const double thickness = thickness_of(file);
  if (smallest == 0) return {thickness > 0 ? thickness : 1, Spacing::Source::thickness};
  if (thickness > 0 && is_lattice(heights, thickness, kPlain, same))
    return {thickness, Spacing::Source::thickness};
  return {smallest, Spacing::Source::frames};
}

[[noreturn]] void refuse_lattice(const fs::path& path, std::size_t frame, double off, double spacing) {
  refuse(path,
         "frame {} lies {:.4g} mm away from the lattice of the others, whose slices are {:.4g} mm apart; the "
         "gaps between its slices differ, or they come from two images: resample it to one grid",
         frame + 1, off, spacing);
}

/// Numbers the frames from low to high: each lies a whole number of steps above the one before it.
void number_frames(Steps& steps, const std::vector<double>& heights, double spacing, double same,
                   const fs::path& path) {
  std::vector<std::size_t> order(heights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return heights[a] < heights[b]; });
  steps.index.assign(heights.size(), 0);
  std::int64_t z = 0;
  double before = heights[order.front()];
  for (const std::size_t frame : order) {
    const double gap = heights[frame] - before;
    if (gap > same) {
      const double times = std::round(gap / spacing);
      if (times + static_cast<double>(z) > std::numeric_limits<std::int32_t>::max() - 1)
        refuse_lattice(path, frame, gap, spacing);
      if (times < 1 || std::abs(gap / spacing - times) > kTolerated)
        refuse_lattice(path, frame, std::abs(gap - times * spacing), spacing);
      z += static_cast<std::int64_t>(times);
      before = heights[frame];
    }
    steps.index[frame] = static_cast<std::int32_t>(z);
  }
  steps.count = static_cast<std::int32_t>(z + 1);
}

/// From the first frame to the last; what lies between has to lie on that line.
void set_line(Steps& steps, const Segmentation& file, const Plane& plane, double spacing) {
  const auto [low, high] = std::minmax_element(steps.index.begin(), steps.index.end());
  steps.first = *file.frames[static_cast<std::size_t>(low - steps.index.begin())].position;
  const Vec last = *file.frames[static_cast<std::size_t>(high - steps.index.begin())].position;
  for (std::size_t a = 0; a < 3; ++a)
    steps.step[a] =
        steps.count > 1 ? (last[a] - steps.first[a]) / (steps.count - 1) : spacing * plane.normal[a];
}

void check_line(const Steps& steps, const Segmentation& file, double spacing, const fs::path& path,
                Warnings& warnings) {
  double most = 0;
  const double unit = std::min({spacing, (*file.measures.pixel)[0], (*file.measures.pixel)[1]});
  for (std::size_t f = 0; f < file.frames.size(); ++f) {
    const Vec there = along(steps.first, steps.step, steps.index[f]);
    const double off = norm(along(*file.frames[f].position, there, -1));
    if (off > kTolerated * unit) refuse_lattice(path, f, off, spacing);
    most = std::max(most, off / unit);
  }
  if (most > kSilent)
    warnings.push_back(
        {sentence(path,
                  "its frames lie up to {:.2g} voxels off their lattice; they are treated as lying on it",
                  most),
         WarningKind::geometry});
}

void warn_of_spacing(const Spacing& spacing, double thickness, const Steps& steps, double smallest,
                     const fs::path& path, Warnings& warnings) {
  using Source = Spacing::Source;
  const double length = spacing.length;
  const bool left_out = smallest > 1.5 * length;
  if (spacing.source == Source::thickness && left_out)
    warnings.push_back(
        {sentence(path,
                  "does not state the distance between its slices; their thickness, {:.6g} mm, is used, so "
                  "slices between its frames, {:.6g} mm apart, are empty; name its series with {} to be sure",
                  length, smallest, Sentence::setting("like", "SERIES_FOLDER")),
         WarningKind::geometry});
  if (spacing.source == Source::frames && steps.count > 1 && std::abs(length - thickness) > 0.01 * length)
    warnings.push_back({sentence(path,
                                 "does not state the distance between its slices; {:.6g} mm, the smallest "
                                 "distance between two frames of a segment, is used",
                                 length),
                        WarningKind::geometry});
  if (spacing.source == Source::file && left_out)
    warnings.push_back({sentence(path,
                                 "states slices {:.6g} mm apart, but has frames every {:.6g} mm at most; the "
                                 "slices between them are treated as empty",
                                 length, smallest),
                        WarningKind::geometry});
}

}  // namespace

Steps find_steps(const Segmentation& file, const Plane& plane, const Grid* image, const fs::path& path,
                 Warnings& warnings) {
  const std::vector<double> heights = heights_of(file, plane);
  const double stated = stated_spacing(file, path);
  const double pixel = std::min((*file.measures.pixel)[0], (*file.measures.pixel)[1]);
  const double same = stated > 0 ? kTolerated * stated : kSilent * pixel;
  const double smallest = smallest_gap(file, heights, same);
  const Spacing spacing = spacing_of(file, plane, image, heights, stated, smallest, same);
  Steps steps;
  number_frames(steps, heights, spacing.length, same, path);
  set_line(steps, file, plane, spacing.length);
  check_line(steps, file, spacing.length, path, warnings);
  warn_of_spacing(spacing, thickness_of(file), steps, smallest, path, warnings);
  return steps;
}

}  // namespace crema::files::dicom
