// SPDX-License-Identifier: Apache-2.0
#include "plot/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace crema::plot {
namespace {

// After Okabe and Ito; black is the consensus's, and their yellow cannot be seen on white.
constexpr std::array<std::string_view, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc5fa0",
                                                   "#5b4bd0", "#e69f00", "#56b4e9", "#8c6d1f"};
constexpr std::array<std::string_view, 8> kDashes{"",    "9 1.6",        "2.4 1.4", "7 1.6 1.6 1.6",
                                                  "5 2", "12 1.6 3 1.6", "1.2 1.2", "7 1.6 1.6 1.6 1.6 1.6"};

using Colour = std::array<double, 3>;
constexpr std::array<Colour, 6> kShades{
    {{253, 249, 243}, {243, 228, 207}, {221, 190, 148}, {187, 141, 92}, {133, 89, 50}, {61, 36, 18}}};

}  // namespace

svg::Stroke rater_stroke(int rater, double width) {
  const auto k = static_cast<std::size_t>(rater);
  return {kColours[k % 8], width, kDashes[(k + k / 8) % 8]};
}

std::string shade(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kShades.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kShades.size() - 2);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i)
    mixed[i] =
        static_cast<int>(std::lround(kShades[below][i] + (place - static_cast<double>(below)) *
                                                             (kShades[below + 1][i] - kShades[below][i])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string_view ink_on_shade(double share) { return share < 0.62 ? kInk : kWhite; }

}  // namespace crema::plot
