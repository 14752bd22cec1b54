// SPDX-License-Identifier: Apache-2.0
// A short queue of decisions: what an adjudicator should look at, and why.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/confidence/leave_one_out.h"
#include "crema/counts/tally.h"
#include "crema/image/grid.h"

namespace crema {

struct Options;
struct Reduction;
struct Solution;

/// Why a decision is on the list; the order of the list is this one.
enum class ReviewReason : std::uint8_t {
  flips,     ///< a component that is kept or left out only because of one rater
  left_out,  ///< a component that two or more raters drew and the consensus has not
  zone,      ///< connected voxels of a component on which those who drew it disagree
};

/// "flips", "left_out" or "zone".
std::string_view to_string(ReviewReason reason);

/// A decision to look at again.
struct ReviewItem {
  ReviewReason reason = ReviewReason::zone;
  std::size_t component = 0;
  std::int64_t first = 0;   ///< its first voxel in raster order
  std::int64_t voxels = 0;  ///< of the component, or of the zone
  std::int64_t inside = 0;  ///< those of them that the consensus has
  Raters seen = 0;          ///< who drew anything in the component
  Raters drawn = 0;         ///< who drew any of these voxels
  Raters flips = 0;         ///< without whom the component would be left out, or kept
  double criterion = 0;     ///< of the component, as it is
  double if_inside = 0;     ///< its least criterion if all who drew anything in it drew these voxels
  double if_outside = 0;    ///< and if nobody did
  double fall = 0;          ///< how far it falls, each of the two being as likely as the raters' weights say
  Box box = {};             ///< of its voxels
  std::array<std::int32_t, 3> at{};  ///< the one of its voxels nearest to their middle
  std::array<double, 3> centre{};    ///< the same in millimetres, as the grid has its axes
  bool common = false;  ///< whether there is a voxel that all who drew anything in the component drew
  std::optional<double> apart = {};  ///< how far a zone reaches beyond what all drew, in units of the spacing
  int merged_by = -1;                ///< the rater without whom it would be several components
  std::size_t merged = 0;            ///< so many that two or more others drew
  std::vector<std::string> said =
      {};  ///< per rater, of labels: the other one that most of it got; may be empty
};

struct ReviewList {
  std::vector<ReviewItem> items;
  std::size_t all = 0;  ///< so many there are, of which the list may hold the first
};

/// Components that flip when one rater is left out, then those left out that two or more raters drew, then
/// zones of kept components; inside each by how far the criterion falls in all, the largest first, then by
/// size, component and first voxel. At most `max_items`, 0 for all. `left_out` is what leave_one_out() found
/// with the components as they are; empty: it is found here. Zones are solved anew while that is quick, those
/// of the largest fall with the consensus held fixed first; the rest is listed with it held.
/// Throws UsageError for methods that do not decide component by component.
ReviewList make_review_list(const Reduction& reduction, const Solution& solution, const Options& options,
                            std::size_t max_items = 0, std::span<const LeftOut> left_out = {});

}  // namespace crema
