// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "plot/svg.h"

/// Colours of figures: distinct to people who see few of them, and on grey prints.
namespace crema::plot {

inline constexpr std::string_view kInk = "#2a1a10", kSoft = "#75655a", kFaint = "#d9cfc3", kWhite = "#ffffff";

/// The line of a rater: no two of the 64 look the same. The first eight differ in colour and in their dashes.
svg::Stroke rater_stroke(int rater, double width);

/// The colour of a structure: `stated` where that is three numbers from 0 to 1, as segmentations have them;
/// else one of a list, the same for the same number.
std::string structure_colour(std::string_view stated, std::size_t number);

/// A colour for one of many things, distinct from its neighbours in the order; none is dark.
std::string category_colour(std::size_t number);

/// From almost white at 0 to dark brown at 1; the lightness falls all the way.
std::string shade(double share);

/// A colour of letters that can be read on shade(share).
std::string_view ink_on_shade(double share);

}  // namespace crema::plot
