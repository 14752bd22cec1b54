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

/// What one slice alone is thick.
double lone_spacing(const Segmentation& file, double stated) {
  const double thickness = file.measures.thickness.value_or(0);
  return stated > 0 ? stated : thickness > 0 && is_length(thickness) ? thickness : 1;
}

[[noreturn]] void refuse_lattice(const fs::path& path, std::size_t frame, double off, double spacing) {
  refuse(path,
         "frame {} lies {:.4g} mm away from the lattice of the others, whose slices are {:.4g} mm apart; its "
         "slices have gaps of different size, or come from two images: resample it to one grid",
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
    warnings.push_back({sentence(path,
                                 "its frames lie up to {:.2g} of a voxel beside their lattice; they are "
                                 "taken to lie on it",
                                 most),
                        WarningKind::geometry});
}

void warn_of_spacing(const Segmentation& file, const Steps& steps, double stated, double smallest,
                     double spacing, const fs::path& path, Warnings& warnings) {
  const double thickness = file.measures.thickness.value_or(0);
  const bool usual = std::abs(spacing - thickness) <= 0.01 * spacing;
  if (stated == 0 && steps.count > 1 && !usual)
    warnings.push_back({sentence(path,
                                 "does not state how far its slices lie apart; {:.6g} mm, the smallest "
                                 "distance between two frames of a segment, is taken",
                                 spacing),
                        WarningKind::geometry});
  if (stated > 0 && smallest > 1.5 * stated)
    warnings.push_back({sentence(path,
                                 "states slices {:.6g} mm apart, but has frames at every {:.6g} mm at most; "
                                 "the slices between them are taken as empty",
                                 stated, smallest),
                        WarningKind::geometry});
}

}  // namespace

Steps find_steps(const Segmentation& file, const Plane& plane, const fs::path& path, Warnings& warnings) {
  const std::vector<double> heights = heights_of(file, plane);
  const double stated = stated_spacing(file, path);
  const double pixel = std::min((*file.measures.pixel)[0], (*file.measures.pixel)[1]);
  const double same = stated > 0 ? kTolerated * stated : kSilent * pixel;
  const double smallest = smallest_gap(file, heights, same);
  const double spacing = stated > 0 ? stated : smallest > 0 ? smallest : lone_spacing(file, stated);
  Steps steps;
  number_frames(steps, heights, spacing, same, path);
  set_line(steps, file, plane, spacing);
  check_line(steps, file, spacing, path, warnings);
  warn_of_spacing(file, steps, stated, smallest, spacing, path, warnings);
  return steps;
}

}  // namespace crema::files::dicom
