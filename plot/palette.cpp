// SPDX-License-Identifier: Apache-2.0
#include "plot/palette.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace crema::plot {
namespace {

// After Okabe and Ito; black is the consensus's, and their yellow cannot be seen on white.
constexpr std::array<std::string_view, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc5fa0",
                                                   "#5b4bd0", "#e69f00", "#56b4e9", "#8c6d1f"};
constexpr std::array<std::string_view, 8> kDashes{"",    "9 1.6",        "2.4 1.4", "7 1.6 1.6 1.6",
                                                  "5 2", "12 1.6 3 1.6", "1.2 1.2", "7 1.6 1.6 1.6 1.6 1.6"};

// After Tol: other colours than those of raters.
constexpr std::array<std::string_view, 9> kStructures{"#cc6677", "#332288", "#ddcc77", "#117733", "#88ccee",
                                                      "#882255", "#44aa99", "#999933", "#aa4499"};

using Colour = std::array<double, 3>;
constexpr std::array<Colour, 6> kShadeStops{
    {{253, 249, 243}, {243, 228, 207}, {221, 190, 148}, {187, 141, 92}, {133, 89, 50}, {61, 36, 18}}};

std::string hex(const std::array<int, 3>& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

/// Three numbers from 0 to 1, or nothing.
std::optional<Colour> parse_colour(std::string_view text) {
  Colour colour{};
  for (double& channel : colour) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), channel);
    if (fault != std::errc() || !(channel >= 0 && channel <= 1)) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return colour;
}

}  // namespace

std::string structure_colour(std::string_view stated, std::size_t number) {
  const std::optional<Colour> own = parse_colour(stated);
  if (!own) return std::string(kStructures[number % kStructures.size()]);
  std::array<int, 3> bytes{};
  for (std::size_t i = 0; i < 3; ++i) bytes[i] = static_cast<int>(std::lround(255 * (*own)[i]));
  return hex(bytes);
}

std::string category_colour(std::size_t number) {
  // Hues by the golden section, so that any few neighbours lie far apart; two steps of lightness.
  const double hue = std::fmod(0.08 + 0.618033988749895 * static_cast<double>(number), 1.0);
  const double light = number % 2 == 0 ? 0.62 : 0.76, strength = 0.3 * (1 - std::abs(2 * light - 1)) + 0.05;
  std::array<int, 3> bytes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double place = std::fmod(hue + (3.0 - static_cast<double>(i)) / 3, 1.0) * 6;
    const double share = std::clamp(std::abs(place - 3) - 1, 0.0, 1.0);
    bytes[i] = static_cast<int>(std::lround(255 * std::clamp(light + strength * (2 * share - 1), 0.0, 1.0)));
  }
  return hex(bytes);
}

svg::Stroke rater_stroke(int rater, double width) {
  const auto k = static_cast<std::size_t>(rater);
  return {kColours[k % 8], width, kDashes[(k + k / 8) % 8]};
}

std::string shade(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kShadeStops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kShadeStops.size() - 2);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i)
    mixed[i] = static_cast<int>(
        std::lround(kShadeStops[below][i] + (place - static_cast<double>(below)) *
                                                (kShadeStops[below + 1][i] - kShadeStops[below][i])));
  return hex(mixed);
}

std::string_view ink_on_shade(double share) { return share < 0.62 ? kInk : kWhite; }

}  // namespace crema::plot
