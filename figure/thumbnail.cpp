// SPDX-License-Identifier: Apache-2.0
#include "figure/thumbnail.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "figure/case_figure.h"
#include "figure/slice.h"
#include "figure/slices_met.h"
#include "files/format.h"

namespace crema::figure {
namespace {

constexpr std::uint16_t kThumbnailPaper = 255, kOneVote = 220, kAllVotes = 110, kOutline = 0;

/// Where the consensus is, cell by cell.
plot::Plane<bool> inside_of(const raters::Case& counted, const Solution& solution, const plot::View& view,
                            const plot::Plane<plot::Cell>& cells) {
  if (solution.image)
    return plot::mapped(plot::levels_of(*solution.image, counted.counts.grid(), view),
                        [](float level) { return level > 0.5F; });
  return plot::mapped(cells, [&](const plot::Cell& cell) {
    return cell.component >= 0 &&
           solution.components[static_cast<std::size_t>(cell.component)].levels[cell.row] > 0.5;
  });
}

/// The slice with most disagreement of those that the consensus meets; of all where it is empty.
plot::Slice slice_of(const Reduction& reduction, const Solution& solution) {
  std::vector<std::uint8_t> met = plot::slices_met(reduction, solution);
  if (std::find(met.begin(), met.end(), 1) == met.end()) met.clear();
  return *plot::choose_slice(reduction, {}, met);
}

/// Which cell each column or row of the thumbnail shows.
std::vector<int> places_along(int cells, int pixels) {
  std::vector<int> places(static_cast<std::size_t>(pixels));
  for (int p = 0; p < pixels; ++p)
    places[static_cast<std::size_t>(p)] = static_cast<int>((2LL * p + 1) * cells / (2LL * pixels));
  return places;
}

int side_of(double length, double longest) {
  return std::max(1, static_cast<int>(std::lround(kThumbnailSide * length / longest)));
}

std::uint16_t shade_of(Raters drawn, int raters) {
  if (drawn == 0) return kThumbnailPaper;
  const double share = raters > 1 ? (std::popcount(drawn) - 1.0) / (raters - 1.0) : 1;
  return static_cast<std::uint16_t>(std::lround(kOneVote + share * (kAllVotes - kOneVote)));
}

LabelImage draw_pixels(const plot::Plane<plot::Cell>& cells, const plot::Plane<bool>& inside,
                       const std::vector<int>& columns, const std::vector<int>& rows, int raters) {
  LabelImage pixels(columns.size() * rows.size());
  const auto is_inside = [&](std::size_t x, std::size_t y) {
    return x < columns.size() && y < rows.size() && inside.at(columns[x], rows[y]);
  };
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const bool edge = is_inside(x, y) && !(is_inside(x - 1, y) && is_inside(x + 1, y) &&
                                             is_inside(x, y - 1) && is_inside(x, y + 1));
      pixels[y * columns.size() + x] =
          edge ? kOutline : shade_of(cells.at(columns[x], rows[y]).raters, raters);
    }
  return pixels;
}

}  // namespace

std::optional<std::size_t> most_disputed(const raters::Case& counted) {
  std::optional<std::size_t> found;
  std::int64_t most = -1;
  for (std::size_t s = 0; s < counted.structures(); ++s) {
    if (counted.reduction(s).crowns.empty()) continue;
    std::int64_t pairs = 0;
    for (const Crowns& crowns : counted.reduction(s).crowns) pairs += plot::disagreement(crowns.tally);
    if (pairs <= most) continue;
    most = pairs;
    found = s;
  }
  return found;
}

std::string make_thumbnail(const raters::Case& counted, const raters::Outcome& outcome, std::size_t s) {
  const Reduction& reduction = counted.reduction(s);
  const Solution own = counted.labelled() ? raters::solution_of(counted, outcome, s) : Solution{};
  const Solution& solution = counted.labelled() ? own : outcome.structures[s];
  const plot::Slice slice = slice_of(reduction, solution);
  const plot::View view =
      plot::around(reduction, plot::whole(reduction.grid, slice, posture_of(counted.reference)));
  const plot::Plane<plot::Cell> cells = plot::cells_of(reduction, view);
  const double width = view.columns() * view.spacing[0], height = view.rows() * view.spacing[1];
  const double longest = std::max(width, height);
  const std::vector<int> columns = places_along(view.columns(), side_of(width, longest));
  const std::vector<int> rows = places_along(view.rows(), side_of(height, longest));
  const plot::Plane<bool> inside = inside_of(counted, solution, view, cells);
  files::Header header;
  header.grid.size = {static_cast<std::int32_t>(columns.size()), static_cast<std::int32_t>(rows.size()), 1};
  const files::Encoded encoded = files::encode_image(
      "thumbnail.png", draw_pixels(cells, inside, columns, rows, reduction.raters), header);
  const auto& bytes = encoded.owned.back();
  return {bytes.begin(), bytes.end()};
}

}  // namespace crema::figure
