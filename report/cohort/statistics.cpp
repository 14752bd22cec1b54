// SPDX-License-Identifier: Apache-2.0
#include "report/cohort/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "plot/cases/forest.h"
#include "plot/cases/panel_curve.h"
#include "report/cohort/sections.h"
#include "report/html.h"

namespace crema::report {
namespace {

constexpr std::size_t kMaxForestRows = 40, kMaxPanelSizes = 3;

/// A row of a table by the names of its columns.
class RowOf {
 public:
  RowOf(const Table& table, const std::vector<Cell>& row) : table_(table), row_(row) {}

  [[nodiscard]] std::string text(std::string_view column) const {
    const auto* held = std::get_if<std::string>(&at(column).content());
    return held == nullptr ? std::string() : *held;
  }
  [[nodiscard]] std::optional<double> number(std::string_view column) const {
    const Cell::Content& content = at(column).content();
    if (const auto* real = std::get_if<double>(&content)) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&content)) return static_cast<double>(*whole);
    return {};
  }

 private:
  [[nodiscard]] const Cell& at(std::string_view column) const {
    const auto found = std::find(table_.columns.begin(), table_.columns.end(), column);
    return row_.at(static_cast<std::size_t>(found - table_.columns.begin()));
  }

  const Table& table_;
  const std::vector<Cell>& row_;
};

std::string cell_html(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell.content())) return name_html(bidi_safe(*text));
  if (const auto* whole = std::get_if<std::int64_t>(&cell.content())) return grouped(*whole);
  const auto* real = std::get_if<double>(&cell.content());
  if (real == nullptr || !std::isfinite(*real)) return "–";
  const double size = std::abs(*real);
  const int decimals = size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return fmt::format("{}{:.{}f}", *real < 0 ? "−" : "", size, decimals);
}

/// "low_quartile" as people write it.
std::string head_of(std::string column) {
  std::replace(column.begin(), column.end(), '_', ' ');
  return column;
}

std::string numbers_html(const std::string& id, const std::string& caption, const Table& table) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool text =
        !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[c].content());
    columns.push_back({escaped(head_of(table.columns[c])), !text});
  }
  TableHtml html(id, caption, columns);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(cell_html(cell));
    html.add(cells);
  }
  return html.html();
}

std::string beside(const std::string& pictures, const std::string& numbers, const std::string& text) {
  return fmt::format(
      "<div class=\"beside\"><div class=\"pictures\">{}</div><div><p class=\"note\">{}</p>{}</div></div>\n",
      pictures, escaped(text), numbers);
}

std::string signed_number(double value, int decimals) {
  return fmt::format("{}{:.{}f}", value < 0 ? "−" : "+", std::abs(value), decimals);
}

/// One outcome of the table as a picture; log volumes as percent, since that is what people read.
std::string forest_of(const Table& table, const std::string& outcome) {
  const bool as_percent = outcome == "log volume";
  const auto scaled = [&](double value) { return as_percent ? 100 * std::expm1(value) : value; };
  const int decimals = as_percent ? 1 : 3;
  plot::Forest forest{as_percent ? "Who draws larger or smaller" : "Who is closer to the others",
                      as_percent ? "volume against the mean of all raters, percent"
                                 : outcome + ", against the mean of all raters",
                      {}};
  for (const auto& cells : table.rows) {
    const RowOf row(table, cells);
    if (row.text("outcome") != outcome || forest.rows.size() == kMaxForestRows) continue;
    plot::ForestRow one{bidi_safe(row.text("rater")), scaled(row.number("effect").value_or(0))};
    one.words = signed_number(one.value, decimals);
    if (const auto low = row.number("low"), high = row.number("high"); low && high) {
      one.low = scaled(*low);
      one.high = scaled(*high);
      one.words +=
          fmt::format(" ({} to {})", signed_number(*one.low, decimals), signed_number(*one.high, decimals));
    }
    forest.rows.push_back(std::move(one));
  }
  return forest.rows.empty() ? "" : "<figure>\n" + plot::draw_forest(forest) + "</figure>\n";
}

std::string effects_html(const CohortStatistics& one, const std::string& behind) {
  const Table& table = one.effects.table;
  if (table.rows.empty()) return "";
  return beside(forest_of(table, "F1 against the others") + forest_of(table, "log volume"),
                numbers_html("effects" + behind, "Rater effects, with 95 % intervals", table),
                one.effects.text);
}

std::string agreement_html(const CohortStatistics& one, const std::string& behind) {
  if (!one.agreement) return "";
  return beside("<figure>\n" + plot::draw_agreement(*one.agreement) + "</figure>\n",
                numbers_html("limits" + behind, "Limits of agreement with the mean", one.limits.table),
                one.limits.text);
}

/// The panels of the cases with so many raters.
struct PanelPicture {
  std::int64_t cases = 0;
  plot::PanelCurve curve;
};

std::map<int, PanelPicture> panel_pictures(const Table& table) {
  std::map<int, PanelPicture> pictures;
  for (const auto& cells : table.rows) {
    const RowOf row(table, cells);
    auto& [cases, curve] = pictures[static_cast<int>(row.number("raters").value_or(0))];
    cases = static_cast<std::int64_t>(row.number("cases").value_or(0));
    curve.x_name = "raters in the panel";
    curve.y_name = "Dice";
    curve.lines.resize(2);
    constexpr std::array<std::string_view, 2> against{"rest", "all"};
    for (std::size_t l = 0; l < against.size(); ++l) {
      curve.lines[l].name = l == 0 ? "against the others" : "against all";
      const auto value = [&](std::string_view which) {
        return row.number(fmt::format("{}_{}", against[l], which));
      };
      if (const auto median = value("median"))
        curve.lines[l].points.push_back({static_cast<int>(row.number("panel").value_or(0)),
                                         value("low_quartile").value_or(*median), *median,
                                         value("high_quartile").value_or(*median)});
    }
  }
  return pictures;
}

/// Most cases first: few of them say little.
std::string panel_html(const CohortStatistics& one, const std::string& behind) {
  if (one.panel.table.rows.empty()) return "";
  const std::map<int, PanelPicture> pictures = panel_pictures(one.panel.table);
  std::vector<int> order;
  std::int64_t all = 0;
  for (const auto& [raters, picture] : pictures) {
    order.push_back(raters);
    all += picture.cases;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return pictures.at(a).cases > pictures.at(b).cases; });
  order.resize(std::min(order.size(), kMaxPanelSizes));
  std::string html;
  for (const int raters : order) {
    plot::PanelCurve curve = pictures.at(raters).curve;
    curve.title = fmt::format("How many of {} raters are enough ({} of {})", raters,
                              pictures.at(raters).cases, counted(all, "case", "cases"));
    html += "<figure>\n" + plot::draw_panel_curve(curve) + "</figure>\n";
  }
  return beside(html, numbers_html("panel" + behind, "Panels of raters", one.panel.table), one.panel.text);
}

std::string notes_html(const std::vector<std::string>& notes) {
  std::string html;
  for (const std::string& note : notes) html += "<p class=\"note\">" + escaped(bidi_safe(note)) + "</p>\n";
  return html;
}

/// What is there, and nothing else: who did not declare that raters persist gets no such line.
std::string introduction(const std::vector<CohortStatistics>& statistics) {
  const auto any = [&](auto&& holds) { return std::any_of(statistics.begin(), statistics.end(), holds); };
  std::string text;
  if (any([](const CohortStatistics& one) { return !one.effects.table.rows.empty() || one.agreement; }))
    text =
        "Raters as persons who drew many cases, as declared with <code>--raters-persist</code>; bars are 95 "
        "% intervals. ";
  if (any([](const CohortStatistics& one) { return !one.panel.table.rows.empty(); }))
    text += "How many raters are enough: bars are quartiles over panels and cases.";
  return text;
}

}  // namespace

std::string statistics_section(const std::vector<CohortStatistics>& statistics) {
  std::string content;
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    const CohortStatistics& one = statistics[s];
    const std::string behind = s == 0 ? "" : fmt::format("-{}", s + 1);
    const std::string parts = effects_html(one, behind) + agreement_html(one, behind) +
                              panel_html(one, behind) + notes_html(one.notes);
    content += one.label.empty() ? parts
                                 : fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                                               s == 0 ? " open" : "", name_html(bidi_safe(one.label)), parts);
  }
  if (content.empty()) return "";
  return section("statistics", "Raters over cases", introduction(statistics), content);
}

}  // namespace crema::report
