// SPDX-License-Identifier: Apache-2.0
#include "crema/voxels/region.h"

#include <algorithm>

#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/voxels/components.h"

namespace crema {
namespace {

Box bounding_box(const Grid& grid, const Components& components, std::int32_t margin) {
  if (components.list.empty()) return {};
  Box box;
  for (const Component& component : components.list) box = united(box, component.box);
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = std::max(0, box.low[a] - std::min(margin, box.low[a]));
    box.high[a] += std::min(margin, grid.size[a] - box.high[a]);
  }
  return box;
}

/// Marks what lies at most `margin` steps after a mark, going through `length` cells that are `step` apart,
/// for `lanes` neighbouring lines at once.
struct Lines {
  std::int64_t first, step, length, lanes;
};

void smear(std::uint8_t* marks, const Lines& lines, std::int32_t margin) {
  std::vector<std::int32_t> left(static_cast<std::size_t>(lines.lanes), 0);
  for (std::int64_t i = 0; i < lines.length; ++i) {
    std::uint8_t* cells = marks + lines.first + i * lines.step;
    for (std::int64_t lane = 0; lane < lines.lanes; ++lane) {
      std::int32_t& rest = left[static_cast<std::size_t>(lane)];
      if (cells[lane] == 1) {
        rest = margin;
      } else if (rest > 0) {
        --rest;
        cells[lane] = 2;  // not a source of its own
      }
    }
  }
}

void settle(std::vector<std::uint8_t>& marks) {
  for (std::uint8_t& mark : marks) mark = mark != 0 ? 1 : 0;
}

/// One byte per voxel: 1 within `margin` steps of the union, where a step may change every axis.
std::vector<std::uint8_t> near_union(const Grid& grid, const Components& components, std::int32_t margin) {
  const std::int64_t nx = grid.size[0], ny = grid.size[1], nz = grid.size[2], plane = nx * ny;
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(grid.voxels()), 0);
  for (const Run& run : components.runs) {
    const std::int64_t row = run.first / nx * nx;
    const std::int64_t from = std::max(row, run.first - margin);
    const std::int64_t to = std::min(row + nx, run.first + run.length + margin);
    std::fill(marks.begin() + from, marks.begin() + to, std::uint8_t{1});
  }
  if (margin == 0) return marks;
  parallel_for(nz, [&](std::int64_t z) {
    smear(marks.data(), {z * plane, nx, ny, nx}, margin);
    smear(marks.data(), {z * plane + (ny - 1) * nx, -nx, ny, nx}, margin);
  });
  settle(marks);
  parallel_for(ny, [&](std::int64_t y) {
    smear(marks.data(), {y * nx, plane, nz, nx}, margin);
    smear(marks.data(), {y * nx + (nz - 1) * plane, -plane, nz, nx}, margin);
  });
  settle(marks);
  return marks;
}

template <class Value>
void fill_box(const Grid& grid, const Box& box, Value value, Canvas<Value>& image) {
  for (std::int64_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int64_t y = box.low[1]; y < box.high[1]; ++y) {
      const std::int64_t row = (z * grid.size[1] + y) * grid.size[0];
      const auto part = image.paint(static_cast<std::size_t>(row + box.low[0]),
                                    static_cast<std::size_t>(box.high[0] - box.low[0]));
      std::fill(part.begin(), part.end(), value);
    }
}

template <class Value>
void fill_marked(Mask marks, Value value, Canvas<Value>& image) {
  parallel_pieces(std::ssize(image), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      if (marks[i] != 0) image[i] = value;
  });
}

std::int64_t count_marked(Mask marks) {
  return std::count_if(marks.begin(), marks.end(), [](std::uint8_t mark) { return mark != 0; });
}

template <class Value>
void fill(const Grid& grid, const Components& components, const Region& region, Value value,
          Canvas<Value>& image) {
  switch (region.kind) {
    case Region::Kind::full:
      std::fill(image.begin(), image.end(), value);
      break;
    case Region::Kind::box:
      fill_box(grid, bounding_box(grid, components, region.margin), value, image);
      break;
    case Region::Kind::near_union:
      fill_marked(near_union(grid, components, region.margin), value, image);
      break;
    case Region::Kind::mask:
      fill_marked(region.mask, value, image);
      break;
  }
}

}  // namespace

std::string_view to_string(Region::Kind kind) { return word_of(kind, Region::kWords); }

std::int64_t region_voxels(const Grid& grid, const Components& components, const Region& region) {
  switch (region.kind) {
    case Region::Kind::box: {
      const auto size = bounding_box(grid, components, region.margin).size();
      return std::int64_t{size[0]} * size[1] * size[2];
    }
    case Region::Kind::near_union:
      return count_marked(near_union(grid, components, region.margin));
    case Region::Kind::mask:
      return count_marked(region.mask);
    case Region::Kind::full:
      break;
  }
  return grid.voxels();
}

void fill_region(const Grid& grid, const Components& components, const Region& region, double level,
                 Image& image) {
  if (level == 0) return;
  if (auto* hard = std::get_if<HardImage>(&image))
    fill(grid, components, region, static_cast<std::uint8_t>(level > 0.5 ? 1 : 0), *hard);
  else
    fill(grid, components, region, static_cast<float>(level), std::get<SoftImage>(image));
}

}  // namespace crema
