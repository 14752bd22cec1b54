// SPDX-License-Identifier: Apache-2.0
#include "plot/svg.h"

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace crema::plot::svg {
namespace {

constexpr std::string_view kFonts = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif";

std::string attributes(const Stroke& stroke) {
  return fmt::format(R"(fill="none" stroke="{}" stroke-width="{}"{})", stroke.colour, number(stroke.width),
                     stroke.dash.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", stroke.dash));
}

std::string written(const Marks& marks) {
  std::string text;
  for (const auto& [name, value] : marks) text += fmt::format(" {}=\"{}\"", name, escaped(value));
  return text;
}

/// Where each letter of UTF-8 text begins.
std::vector<std::size_t> letter_starts(std::string_view words) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < words.size(); ++i)
    if ((static_cast<unsigned char>(words[i]) & 0xc0U) != 0x80) starts.push_back(i);
  return starts;
}

}  // namespace

double text_width(std::string_view words, double size) {
  constexpr std::string_view narrow = "iIl.,:;'|!()[] fjrt";
  double width = 0;
  for (const std::size_t start : letter_starts(words))
    width += narrow.find(words[start]) != std::string_view::npos ? 0.38 : 0.63;
  return width * size;
}

std::string shortened(std::string_view words, std::size_t letters) {
  const std::vector<std::size_t> starts = letter_starts(words);
  if (starts.size() <= letters) return std::string(words);
  const std::size_t head = (letters - 1) / 2, tail = letters - 1 - head;
  return std::string(words.substr(0, starts[head])) + "…" +
         std::string(words.substr(starts[starts.size() - tail]));
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // No document may hold these two, escaped or not.
    const bool banned = text.substr(i, 3) == "\xef\xbf\xbe" || text.substr(i, 3) == "\xef\xbf\xbf";
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
      safe += banned || static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    if (banned) i += 2;
  }
  return safe;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? digits[three >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string picture(double width, double height, std::string_view title, const std::string& parts,
                    const Paper& paper) {
  const std::string corners =
      paper.round > 0 ? fmt::format(" rx=\"{}\"", number(paper.round)) : std::string();
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"{2}\" role=\"img\">\n<title>{3}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\"{6} fill=\"{4}\"/>\n{5}</svg>\n",
      number(width), number(height), kFonts, escaped(title), paper.colour, parts, corners);
}

std::string group(const Marks& marks, const std::string& parts) {
  return fmt::format("<g{}>\n{}</g>\n", written(marks), parts);
}

std::string path(std::string_view data, const Stroke& stroke, const Marks& marks) {
  return fmt::format("<path{} d=\"{}\" stroke-linejoin=\"round\" {}/>\n", written(marks), data,
                     attributes(stroke));
}

std::string area(std::string_view data, std::string_view colour, double opacity, const Marks& marks) {
  return fmt::format("<path{} d=\"{}\" fill=\"{}\"{}/>\n", written(marks), data, colour,
                     opacity < 1 ? fmt::format(" fill-opacity=\"{}\"", number(opacity)) : "");
}

std::string embedded(Point at, double width, double height, std::string_view png) {
  return fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
      number(at.x), number(at.y), number(width), number(height), base64(png));
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
  const std::string halo =
      lettering.halo.empty()
          ? ""
          : fmt::format(R"( stroke="{}" stroke-width="3" stroke-linejoin="round" paint-order="stroke")",
                        lettering.halo);
  return fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n", number(at.x),
      number(at.y), number(lettering.size), lettering.colour,
      anchors[static_cast<std::size_t>(lettering.anchor)], weight, halo, escaped(words));
}

}  // namespace crema::plot::svg
