// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "crema/records/table.h"
#include "crema/records/units.h"
#include "plot/svg.h"

namespace crema::report {
namespace {

/// Marks that turn the direction of writing, as UTF-8: U+200E, U+200F, U+061C, U+202A to U+202E, U+2066 to
/// U+2069.
constexpr std::array<std::string_view, 12> kTurns{
    "\xe2\x80\x8e", "\xe2\x80\x8f", "\xd8\x9c",     "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
    "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};

}  // namespace

std::string escaped(std::string_view text) { return plot::svg::escaped(valid_utf8(text)); }

std::string bidi_safe(std::string_view name) {
  std::string safe;
  for (std::size_t i = 0; i < name.size();) {
    const auto* const turn = std::find_if(kTurns.begin(), kTurns.end(), [&](std::string_view mark) {
      return name.substr(i, mark.size()) == mark;
    });
    safe += turn == kTurns.end() ? std::string(1, name[i]) : "\xef\xbf\xbd";
    i += turn == kTurns.end() ? 1 : turn->size();
  }
  return valid_utf8(safe);
}

std::string name_html(std::string_view name) { return "<bdi>" + escaped(name) + "</bdi>"; }

std::string measure_html(const Measured& measure, int decimals) {
  if (measure.defined()) return fmt::format("{:.{}f}", *measure, decimals);
  return fmt::format("<abbr title=\"{}\">–</abbr>", escaped(to_string(*measure.reason())));
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), "\u202f");
  return (number < 0 ? "−" : "") + digits;
}

PageUnit page_unit(const Grid& grid) {
  if (!grid.measured) return {"Size", length_unit(grid)};
  if (grid.flat()) return {"Area", "mm²"};
  return {"Volume", "ml"};
}

std::string size_html(const Grid& grid, double voxels) {
  const double size = physical_size(grid, voxels).value_or(voxels);
  return size_html(size_unit(grid) == "mm³" ? size / 1000 : size);
}

std::string size_html(double number) {
  const double size = number < 0 ? -number : number;
  const bool whole = size == std::floor(size);
  const int decimals = whole || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return fmt::format("{}{:.{}f}", number < 0 ? "−" : "", size, decimals);
}

std::string gap_html(double lmsd, double lower_bound) {
  const double gap = std::max(0.0, lmsd - lower_bound);
  return gap <= 1e-9 * lmsd ? "none better" : fmt::format("{:.2g} %", 100 * gap / lmsd);
}

std::string counted(std::int64_t number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : several);
}

std::string tile(const std::string& value, const std::string& what) {
  return fmt::format("<div class=\"tile\"><dt>{}</dt><dd>{}</dd></div>\n", what, value);
}

TableHtml::TableHtml(std::string id, std::string caption, std::vector<Column> columns)
    : id_(std::move(id)), caption_(std::move(caption)), columns_(std::move(columns)) {}

void TableHtml::add(const std::vector<std::string>& cells, const std::string& attributes) {
  rows_ += "<tr" + attributes + ">";
  for (std::size_t i = 0; i < cells.size(); ++i)
    rows_ += i == 0 ? "<th scope=\"row\">" + cells[i] + "</th>"
                    : fmt::format("<td{}>{}</td>", columns_[i].number ? " class=\"number\"" : "", cells[i]);
  rows_ += "</tr>\n";
}

std::string TableHtml::html() const {
  std::string heads;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    heads += fmt::format("<th scope=\"col\"{}>{}</th>",
                         i > 0 && columns_[i].number ? " class=\"number\"" : "", columns_[i].head);
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{0}-caption\">\n"
      "<table id=\"{0}\"><caption id=\"{0}-caption\">{1}</caption>\n<thead><tr>{2}</tr></thead>\n"
      "<tbody>\n{3}</tbody></table></div>\n",
      id_, caption_, heads, rows_);
}

std::string section(std::string_view id, std::string_view heading, std::string_view how_to_read,
                    const std::string& content) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n"
      "<p class=\"how\">{2}</p>\n{3}</section>\n",
      id, heading, how_to_read, content);
}

std::string filled(std::string_view page, const std::vector<Filling>& fillings) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at);
    text += page.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) return text;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto found = std::find_if(fillings.begin(), fillings.end(),
                                    [&](const Filling& filling) { return filling.name == name; });
    if (found == fillings.end()) throw std::logic_error("nothing to fill in for " + std::string(name));
    text += found->value;
    at = close + 2;
  }
}

}  // namespace crema::report
