// SPDX-License-Identifier: Apache-2.0
#include "files/layout.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "files/affine.h"
#include "files/io/sentence.h"

namespace crema::files {

namespace {

using Corner = std::array<std::int64_t, 3>;

/// A box on the lattice of the first mask; `high` lies outside.
struct Range {
  Corner low{}, high{};

  bool operator==(const Range&) const = default;
};

Range range_of(const Footprint& part) {
  Range range;
  for (std::size_t a = 0; a < 3; ++a) {
    range.low[a] = part.low[a];
    range.high[a] = std::int64_t{part.low[a]} + part.size[a];
  }
  return range;
}

bool overlap(const Footprint& a, const Footprint& b) {
  const Range x = range_of(a), y = range_of(b);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (x.low[axis] >= y.high[axis] || y.low[axis] >= x.high[axis]) return false;
  return true;
}

/// One mask that says where it lies; blank ones and those without a position follow the others.
struct Placed {
  const Header* header;
  Placement* placement;
  Footprint part;
};

Range bounding_box(const std::vector<Placed>& placed, const Grid& base) {
  Range box{{0, 0, 0}, {base.size[0], base.size[1], base.size[2]}};
  for (const Placed& one : placed) {
    const Range part = range_of(one.part);
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], part.low[a]);
      box.high[a] = std::max(box.high[a], part.high[a]);
    }
  }
  return box;
}

/// Whether two masks lie apart across their slices alone, of which a file that leaves empty ones out has as
/// many as its rater happened to draw on.
bool shifted_by_slices(const Placed& one, const Header& base) {
  if (!one.header->sparse && !base.sparse) return false;
  const int across = one.header->sparse ? one.placement->axis[2] : 2;
  for (int a = 0; a < 3; ++a)
    if (a != across && one.part.low[static_cast<std::size_t>(a)] != 0) return false;
  return true;
}

/// All of one size and yet not in one place.
void refuse_shift(const std::vector<Placed>& placed, const Header& base) {
  const auto same_size = [&](const Placed& one) { return one.part.size == base.grid.size; };
  if (!std::all_of(placed.begin(), placed.end(), same_size)) return;
  for (const Placed& one : placed) {
    if (one.part.low == std::array<std::int32_t, 3>{0, 0, 0} || shifted_by_slices(one, base)) continue;
    refuse(one.header->path,
           "has the size of {}, but lies ({}, {}, {}) voxels away from it; resample it to that grid, or name "
           "the grid of both with {}",
           printable(base.path), one.part.low[0], one.part.low[1], one.part.low[2],
           Sentence::setting("like"));
  }
}

void refuse_beyond(const Placed& one, const Header& base) {
  refuse(one.header->path, "{} at voxel ({}, {}, {}) reaches beyond {}, which is {}; crop it or leave it out",
         shape(one.header->grid), one.part.low[0], one.part.low[1], one.part.low[2], printable(base.path),
         shape(base.grid));
}

/// The reference with another size and origin.
Header resized(const Header& base, const Range& box, const Header& reported) {
  Header header = base;
  const Affine affine = affine_of(base.grid);
  Vec corner{};
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t size = box.high[a] - box.low[a];
    if (size > std::numeric_limits<std::int32_t>::max())
      refuse(reported.path, "lies {} voxels away from {}; resample it or leave it out", size,
             printable(base.path));
    header.grid.size[a] = static_cast<std::int32_t>(size);
    corner[a] = static_cast<double>(box.low[a]);
  }
  header.grid.origin = affine(corner);
  header.native = nullptr;
  return header;
}

/// A file that leaves empty slices out has fewer than its image, which is nothing to report.
bool lacks_slices_alone(const Placed& one, const Grid& grid) {
  if (!one.header->sparse) return false;
  auto size = one.part.size;
  const auto across = static_cast<std::size_t>(one.placement->axis[2]);
  size[across] = grid.size[across];
  return size == grid.size;
}

void pad(Placed& one, const Range& box, const Grid& grid) {
  Placement& placement = *one.placement;
  for (std::size_t a = 0; a < 3; ++a) {
    placement.offset[a] = static_cast<std::int32_t>(placement.offset[a] - box.low[a]);
    one.part.low[a] = static_cast<std::int32_t>(one.part.low[a] - box.low[a]);
  }
  if (one.part.size == grid.size) return;
  placement.identity = false;
  if (lacks_slices_alone(one, grid)) return;
  placement.warnings.push_back(
      {sentence(one.header->path,
                "{} is a part of the common grid {} at voxel ({}, {}, {}); padded with "
                "background",
                shape(one.header->grid), shape(grid), one.part.low[0], one.part.low[1], one.part.low[2]),
       WarningKind::padded});
}

void warn_of_strangers(const std::vector<Placed>& placed) {
  if (placed.size() < 2) return;
  for (const Placed& one : placed) {
    const auto meets = [&](const Placed& other) { return &other != &one && overlap(one.part, other.part); };
    if (std::none_of(placed.begin(), placed.end(), meets))
      one.placement->warnings.push_back(
          {sentence(one.header->path,
                    "its grid overlaps with that of no other rater; is it of the same image?"),
           WarningKind::no_overlap});
  }
}

/// Finds the files of which a text differs from that of the first one that states it; once for each file.
void compare(std::span<const Header> headers, const Header& base, std::string Header::*text,
             const std::function<void(std::size_t, const Header& known)>& differs) {
  const Header* known = (base.*text).empty() ? nullptr : &base;
  for (std::size_t k = 0; k < headers.size(); ++k) {
    const Header& own = headers[k];
    if ((own.*text).empty()) continue;
    if (known == nullptr) known = &own;
    if (own.*text != known->*text && (k == 0 || headers[k - 1].path != own.path)) differs(k, *known);
  }
}

/// Positions are comparable within one frame of reference, masks within one patient, where files state them.
void warn_of_origins(std::span<const Header> headers, const Header& base, Layout& layout) {
  const auto warn = [&](std::size_t k, const std::string& text, WarningKind kind) {
    layout.placements[k].warnings.push_back({sentence(headers[k].path, "{}", text), kind});
  };
  const auto keep = [&](const std::string& rater, std::string_view what, const Header& known) {
    if (layout.reference.foreign.empty())
      layout.reference.foreign =
          fmt::format("{} belongs to another {} than {}", rater, what, printable(known.path));
  };
  std::vector<bool> reported(headers.size());
  compare(headers, base, &Header::patient, [&](std::size_t k, const Header& known) {
    warn(k, fmt::format("belongs to another patient than {}; leave it out", printable(known.path)),
         WarningKind::unlike);
    keep(printable(headers[k].path), "patient", known);
    reported[k] = true;
  });
  compare(headers, base, &Header::study, [&](std::size_t k, const Header& known) {
    if (reported[k]) return;
    warn(k,
         fmt::format("belongs to another study than {}; check that both are of the same scan",
                     printable(known.path)),
         WarningKind::unlike);
  });
  compare(headers, base, &Header::frame_of_reference, [&](std::size_t k, const Header& known) {
    warn(k,
         fmt::format("lies in the frame of reference {}, but {} in {}, so their positions may differ; check "
                     "that both are of the same scan",
                     printable(headers[k].frame_of_reference), printable(known.path),
                     printable(known.frame_of_reference)),
         WarningKind::geometry);
    keep(printable(headers[k].path), "frame of reference", known);
  });
}

const Header& base_of(std::span<const Header> headers) {
  const auto drawn = [](const Header& header) { return !header.blank; };
  const auto found = std::find_if(headers.begin(), headers.end(), drawn);
  return found == headers.end() ? headers.front() : *found;
}

}  // namespace

Layout lay_out(std::span<const Header> headers, const Header* like) {
  const Header& base = like != nullptr ? *like : base_of(headers);
  Layout layout{base, {}};
  for (const Header& header : headers) layout.placements.push_back(locate(base, header));
  std::vector<Placed> placed;
  for (std::size_t k = 0; k < headers.size(); ++k) {
    const bool somewhere = base.positioned && headers[k].positioned &&
                           !(headers[k].blank && headers[k].grid.size != base.grid.size);
    if (somewhere)
      placed.push_back(
          {&headers[k], &layout.placements[k], footprint(layout.placements[k], headers[k].grid)});
  }
  refuse_shift(placed, base);
  const Range own = bounding_box({}, base.grid);
  if (like != nullptr) {
    for (const Placed& one : placed)
      if (!(bounding_box({one}, base.grid) == own)) refuse_beyond(one, base);
  }
  const Range box = bounding_box(placed, base.grid);
  if (!(box == own)) layout.reference = resized(base, box, *placed.back().header);
  for (Placed& one : placed) pad(one, box, layout.reference.grid);
  if (like == nullptr) warn_of_strangers(placed);
  warn_of_origins(headers, base, layout);
  return layout;
}

}  // namespace crema::files
