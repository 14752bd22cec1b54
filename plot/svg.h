// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Pieces of an SVG picture that needs nothing from outside: no fonts, no scripts, no style sheets.
namespace crema::plot::svg {

struct Point {
  double x = 0, y = 0;
};

struct Stroke {
  std::string_view colour = "#2a1a10";
  double width = 1;
  std::string_view dash = {};  ///< "4 3"; empty: a full line
};

enum class Anchor { start, middle, end };

struct Lettering {
  double size = 13;
  std::string_view colour = "#2a1a10";
  Anchor anchor = Anchor::start;
  std::string_view weight = "400";
};

/// Text as it must stand in a picture: markup is escaped and control characters become blanks.
std::string escaped(std::string_view text);

/// At most two decimals, whatever the locale.
std::string number(double value);

/// A picture of that size on its own paper; `title` is for those who cannot see it.
std::string picture(double width, double height, std::string_view title, const std::string& parts);

std::string line(Point from, Point to, const Stroke& stroke);
std::string polyline(const std::vector<Point>& points, const Stroke& stroke);
std::string dot(Point centre, double radius, std::string_view colour);

/// The words are escaped here. A y is that of the line the letters stand on.
std::string text(Point at, std::string_view words, const Lettering& lettering = {});

}  // namespace crema::plot::svg
