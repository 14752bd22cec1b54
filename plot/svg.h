// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
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
  std::string_view halo = {};  ///< colour around the letters; empty: none
};

/// About how wide words are; no font is consulted, so that a picture is the same everywhere.
double text_width(std::string_view words, double size);

/// The words, or as much of their beginning and end as fits into so many letters, with … between.
std::string shortened(std::string_view words, std::size_t letters);

/// Text as it must stand in a picture: markup is escaped and control characters become blanks.
std::string escaped(std::string_view text);

/// Bytes as letters.
std::string base64(std::string_view bytes);

/// At most two decimals, whatever the locale.
std::string number(double value);

struct Paper {
  std::string_view colour = "#fdfaf5";
  double round = 10;  ///< radius of its corners
};

/// A picture of that size on its own paper; `title` is for those who cannot see it.
std::string picture(double width, double height, std::string_view title, const std::string& parts,
                    const Paper& paper = {});

/// Attributes for programs that read the picture: {"class", "rater"} becomes class="rater". The values are
/// escaped here.
using Marks = std::vector<std::pair<std::string_view, std::string>>;

std::string group(const Marks& marks, const std::string& parts);

/// A path of given data, as a line or as an area.
std::string path(std::string_view data, const Stroke& stroke, const Marks& marks = {});
std::string area(std::string_view data, std::string_view colour, double opacity = 1, const Marks& marks = {});

/// A PNG file as part of the picture, its pixels with sharp edges.
std::string embedded(Point at, double width, double height, std::string_view png);

std::string line(Point from, Point to, const Stroke& stroke);
std::string polyline(const std::vector<Point>& points, const Stroke& stroke);
std::string dot(Point centre, double radius, std::string_view colour);

/// The words are escaped here. A y is that of the line the letters stand on.
std::string text(Point at, std::string_view words, const Lettering& lettering = {});

}  // namespace crema::plot::svg
