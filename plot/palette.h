// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "plot/svg.h"

/// Colours of figures: told apart by people who see few of them, and on grey prints.
namespace crema::plot {

inline constexpr std::string_view kInk = "#2a1a10", kSoft = "#75655a", kFaint = "#d9cfc3", kWhite = "#ffffff";

/// The line of a rater: no two of the 64 look the same. The first eight differ in colour and in their dashes.
svg::Stroke rater_stroke(int rater, double width);

/// From almost white at 0 to dark brown at 1; the lightness falls all the way.
std::string shade(double share);

/// A colour of letters that can be read on shade(share).
std::string_view ink_on_shade(double share);

}  // namespace crema::plot
