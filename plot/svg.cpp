// SPDX-License-Identifier: Apache-2.0
#include "plot/svg.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace crema::plot::svg {
namespace {

constexpr std::string_view kPaper = "#fdfaf5";
constexpr std::string_view kFonts = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif";

std::string attributes(const Stroke& stroke) {
  return fmt::format(R"(fill="none" stroke="{}" stroke-width="{}"{})", stroke.colour, number(stroke.width),
                     stroke.dash.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", stroke.dash));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\'')
      safe += "&#39;";
    else
      safe += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return safe;
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string picture(double width, double height, std::string_view title, const std::string& parts) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"{2}\" role=\"img\">\n<title>{3}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" rx=\"10\" fill=\"{4}\"/>\n{5}</svg>\n",
      number(width), number(height), kFonts, escaped(title), kPaper, parts);
}

std::string line(Point from, Point to, const Stroke& stroke) {
  return fmt::format("<path d=\"M{} {}L{} {}\" {}/>\n", number(from.x), number(from.y), number(to.x),
                     number(to.y), attributes(stroke));
}

std::string polyline(const std::vector<Point>& points, const Stroke& stroke) {
  std::string path;
  for (const Point& point : points)
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", number(point.x), number(point.y));
  return fmt::format("<path d=\"{}\" stroke-linejoin=\"round\" {}/>\n", path, attributes(stroke));
}

std::string dot(Point centre, double radius, std::string_view colour) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", number(centre.x),
                     number(centre.y), number(radius), colour);
}

std::string text(Point at, std::string_view words, const Lettering& lettering) {
  constexpr std::array<std::string_view, 3> anchors{"start", "middle", "end"};
  const std::string weight =
      lettering.weight == "400" ? "" : fmt::format(R"( font-weight="{}")", lettering.weight);
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
                     number(at.x), number(at.y), number(lettering.size), lettering.colour,
                     anchors[static_cast<std::size_t>(lettering.anchor)], weight, escaped(words));
}

}  // namespace crema::plot::svg
