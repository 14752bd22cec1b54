// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crema/agreement/measured.h"
#include "crema/image/grid.h"

/// Pieces of a page.
namespace crema::report {

/// Text as it must stand in a page or between quotes in it: UTF-8, markup escaped.
std::string escaped(std::string_view text);

/// A name that people chose: what would turn the direction of writing around it is shown instead of obeyed.
std::string bidi_safe(std::string_view name);

/// A name in a page, which keeps its direction of writing to itself.
std::string name_html(std::string_view name);

/// "0.8312", or a dash that says why there is nothing.
std::string measure_html(const Measured& measure, int decimals = 3);

/// 1234567 as "1 234 567".
std::string grouped(std::int64_t number);

/// How sizes stand on a page: "Volume" in "ml", "Area" in "mm²", or "Size" in "voxels".
struct PageUnit {
  std::string_view what, unit;
};
PageUnit page_unit(const Grid& grid);

/// So many voxels in the unit of the page, with as many decimals as the number deserves.
std::string size_html(const Grid& grid, double voxels);

/// How far a consensus may be from the best one: "2.3 %", or "none better" where that is nothing but
/// rounding.
std::string gap_html(double lmsd, double lower_bound);

/// A number with as many decimals as it deserves.
std::string size_html(double number);

/// "1 voxel", "12 voxels".
std::string counted(std::int64_t number, std::string_view one, std::string_view several);

/// A number in large letters and what it is; they stand in a <dl class="tiles">.
std::string tile(const std::string& value, const std::string& what);

struct Column {
  std::string head;
  bool number = true;  ///< set to the right
};

/// A table that can be scrolled sideways where it is wider than the page. Cells are HTML.
class TableHtml {
 public:
  TableHtml(std::string id, std::string caption, std::vector<Column> columns);
  /// The first cell is the row's heading. `attributes` such as ` class="kept"`.
  void add(const std::vector<std::string>& cells, const std::string& attributes = {});
  [[nodiscard]] std::string html() const;

 private:
  std::string id_, caption_;
  std::vector<Column> columns_;
  std::string rows_;
};

/// A section of the page: its heading, one sentence on how to read it, and the rest.
std::string section(std::string_view id, std::string_view heading, std::string_view how_to_read,
                    const std::string& content);

/// {{name}} replaced by its value, each once, in one go: what is filled in is not looked at again.
struct Filling {
  std::string_view name;
  std::string_view value;
};
std::string filled(std::string_view page, const std::vector<Filling>& fillings);

}  // namespace crema::report
