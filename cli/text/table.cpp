// SPDX-License-Identifier: Apache-2.0
#include "cli/text/table.h"

#include <algorithm>

#include "cli/shell/terminal.h"

namespace crema::cli {
namespace {

using Widths = std::vector<std::size_t>;

Widths widths_of(const std::vector<Cells>& rows) {
  Widths widths;
  for (const Cells& row : rows)
    for (std::size_t c = 0; row.size() > 1 && c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], width_of(row[c]));
    }
  return widths;
}

/// The names and the columns from `first` to before `last`.
std::string part(const std::vector<Cells>& rows, const Widths& widths, std::size_t first, std::size_t last,
                 const TableStyle& style) {
  std::string text;
  for (const Cells& row : rows) {
    for (std::size_t c = 0; c < std::min(style.names, row.size()); ++c)
      text += std::string(c == 0 ? 0 : style.gap, ' ') + row[c] +
              std::string(row.size() > 1 ? widths[c] - width_of(row[c]) : 0, ' ');
    for (std::size_t c = first; c < std::min(last, row.size()); ++c)
      text += std::string(style.gap + widths[c] - width_of(row[c]), ' ') + row[c];
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

/// How wide the first so many columns are together.
std::size_t width_of_first(const Widths& widths, std::size_t columns, std::size_t gap) {
  std::size_t width = 0;
  for (std::size_t c = 0; c < std::min(columns, widths.size()); ++c) width += widths[c] + (c == 0 ? 0 : gap);
  return width;
}

}  // namespace

std::string table(const std::vector<Cells>& rows, const TableStyle& style) {
  const Widths widths = widths_of(rows);
  std::string text;
  std::size_t first = style.names;
  do {
    std::size_t last = first, used = width_of_first(widths, style.names, style.gap);
    while (last < widths.size() && (last == first || used + style.gap + widths[last] <= style.width))
      used += style.gap + widths[last++];
    text += (text.empty() ? "" : "\n") + part(rows, widths, first, last, style);
    first = std::max(last, first + 1);
  } while (first < widths.size());
  return text;
}

}  // namespace crema::cli
