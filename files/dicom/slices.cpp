// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/slices.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "files/dicom/steps.h"
#include "files/io/sentence.h"

namespace crema::files::dicom {

namespace {

namespace fs = std::filesystem;

/// Lists of frames, one for each segment in the order in which they are described.
std::vector<std::vector<std::int64_t>> frames_of_segments(const Segmentation& file) {
  std::map<std::uint16_t, std::size_t> places;
  for (std::size_t s = 0; s < file.segments.size(); ++s) places[file.segments[s].number] = s;
  const bool map = file.kind == Kind::label_map;
  std::vector<std::vector<std::int64_t>> lists(map ? 1 : file.segments.size());
  for (std::size_t f = 0; f < file.frames.size(); ++f)
    lists[map ? 0 : places.at(*file.frames[f].segment)].push_back(static_cast<std::int64_t>(f));
  return lists;
}

std::string segment_text(const Segmentation& file, std::size_t s) {
  return file.kind == Kind::label_map ? ""
                                      : fmt::format(" of segment '{}'", printable(file.segments[s].label));
}

void set_spacing(Stack& stack, const Measures& measures, const fs::path& path) {
  if (!measures.pixel) return;
  const auto [rows, columns] = *measures.pixel;
  if (!(rows > 0 && columns > 0) || !is_length(rows) || !is_length(columns))
    refuse(path, "its pixels lie {} and {} mm apart; it is damaged: copy or save it again", rows, columns);
  stack.measured = true;
  stack.grid.spacing = {columns, rows, 1};
}

/// An image without a place, such as a radiograph: one frame for each segment.
Stack flat_stack(const Segmentation& file, const fs::path& path) {
  Stack stack;
  stack.grid.size = {file.columns, file.rows, 1};
  set_spacing(stack, file.measures, path);
  const auto lists = frames_of_segments(file);
  for (std::size_t s = 0; s < lists.size(); ++s) {
    if (lists[s].size() > 1)
      refuse(path, "has {} frames{} without positions, so they do not form a volume; convert it to NIfTI",
             lists[s].size(), segment_text(file, s));
    stack.of_segment.emplace_back();
    for (const std::int64_t frame : lists[s]) stack.of_segment.back().push_back({0, frame});
  }
  stack.warnings.push_back(
      {sentence(path, "states no position; only its {} is used", stack.measured ? "spacing" : "size"),
       WarningKind::geometry});
  return stack;
}

Plane plane_of(const Segmentation& file, const fs::path& path) {
  if (!file.measures.orientation)
    refuse(path,
           "states the positions of its frames, but not their orientation (0020,0037); it is damaged: copy "
           "or save it again");
  if (!file.measures.pixel)
    refuse(path,
           "states the positions of its frames, but not their pixel spacing (0028,0030); it is damaged: copy "
           "or save it again");
  const auto& o = *file.measures.orientation;
  Plane plane{.row = {o[0], o[1], o[2]}, .column = {o[3], o[4], o[5]}};
  const double skew = o[0] * o[3] + o[1] * o[4] + o[2] * o[5];
  constexpr double tolerated = 1e-3;
  if (std::abs(norm(plane.row) - 1) > tolerated || std::abs(norm(plane.column) - 1) > tolerated ||
      std::abs(skew) > tolerated)
    refuse(
        path,
        "its rows run along ({:.6g}, {:.6g}, {:.6g}) and its columns along ({:.6g}, {:.6g}, {:.6g}), which "
        "are not unit vectors at right angles; it is damaged: copy or save it again",
        o[0], o[1], o[2], o[3], o[4], o[5]);
  plane.normal = {o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
  return plane;
}

/// Beyond this, in millimetres, nothing lies that was scanned, and differences lose their digits.
constexpr double kFarthest = 1e9;

void check_positions(const Segmentation& file, const fs::path& path) {
  for (std::size_t f = 0; f < file.frames.size(); ++f)
    for (const double x : *file.frames[f].position)
      if (std::abs(x) > kFarthest)
        refuse(path, "frame {} lies at {:.4g} mm; it is damaged: copy or save it again", f + 1, x);
}

/// From DICOM's left, posterior, superior to the project's right, anterior, superior.
void set_place(Grid& grid, const Plane& plane, const Steps& steps) {
  Affine affine;
  const std::array columns{plane.row, plane.column, steps.step};
  for (std::size_t r = 0; r < 3; ++r) {
    const double sign = r < 2 ? -1 : 1;
    for (std::size_t c = 0; c < 3; ++c)
      affine.matrix[3 * r + c] = sign * columns[c][r] * (c < 2 ? grid.spacing[c] : 1) + 0.0;  // never −0
    affine.shift[r] = sign * steps.first[r];
  }
  set_affine(grid, affine);
}

void fill_lists(Stack& stack, const Segmentation& file, const Steps& steps, const fs::path& path) {
  const auto lists = frames_of_segments(file);
  for (std::size_t s = 0; s < lists.size(); ++s) {
    std::vector<Slice> slices;
    for (const std::int64_t frame : lists[s])
      slices.push_back({steps.index[static_cast<std::size_t>(frame)], frame});
    std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.z < b.z; });
    for (std::size_t i = 1; i < slices.size(); ++i)
      if (slices[i].z == slices[i - 1].z)
        refuse(path,
               "frames {} and {}{} lie in the same place, so it is unclear which one counts; save each as a "
               "separate file",
               slices[i - 1].frame + 1, slices[i].frame + 1, segment_text(file, s));
    stack.of_segment.push_back(std::move(slices));
  }
}

}  // namespace

Stack stack_frames(const Segmentation& file, const fs::path& path, const Grid* image) {
  const auto placed = [](const Frame& frame) { return frame.position.has_value(); };
  const auto count = std::count_if(file.frames.begin(), file.frames.end(), placed);
  if (count == 0) return flat_stack(file, path);
  if (count != static_cast<std::ptrdiff_t>(file.frames.size()))
    refuse(path, "states positions for only {} of its {} frames; it is damaged: copy or save it again", count,
           file.frames.size());
  check_positions(file, path);
  Stack stack;
  set_spacing(stack, file.measures, path);
  const Plane plane = plane_of(file, path);
  const Steps steps = find_steps(file, plane, image, path, stack.warnings);
  stack.positioned = true;
  stack.grid.size = {file.columns, file.rows, steps.count};
  set_place(stack.grid, plane, steps);
  fill_lists(stack, file, steps, path);
  return stack;
}

}  // namespace crema::files::dicom
