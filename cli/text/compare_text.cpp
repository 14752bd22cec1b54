// SPDX-License-Identifier: Apache-2.0
#include "cli/text/compare_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/text/cells.h"
#include "cli/text/summary.h"
#include "cli/text/table.h"
#include "crema/records/units.h"

namespace crema::cli {
namespace {

std::string name_of(const MethodRow& row) { return std::string(row.method->name); }

/// Six significant digits, whatever the size of the number.
std::string short_number(double value) {
  if (value == 0) return "0";
  if (value >= 1e6 || value < 1e-4) return fmt::format("{:.3e}", value);
  const int before = static_cast<int>(fmt::formatted_size("{:.0f}", value));
  return fmt::format("{:.{}f}", value, std::clamp(6 - before, 0, 4));
}

std::string signed_percent(const Measured& measure) {
  return measure.defined() ? fmt::format("{:+.1f} %", *measure) : "–";
}

double seconds_of(const MethodRow& row) { return row.solving + row.writing.value_or(0); }

}  // namespace

std::string method_tables(const std::vector<MethodRow>& rows, const files::Header& reference,
                          std::size_t width) {
  const Grid& grid = reference.grid;
  // No line has sizes of both kinds.
  Cells titles{"method", "soft voxels", fmt::format("soft {}", size_unit(grid)), "entropy"};
  if (!grid.measured) titles.erase(titles.begin() + 2);
  std::vector<Cells> sizes{{"method", "voxels", "kept", "seconds"}}, soft{titles};
  for (const MethodRow& row : rows) {
    sizes.push_back({name_of(row), fmt::format("{}", row.voxels),
                     fmt::format("{} of {}", row.kept, row.components),
                     fmt::format("{:.2f}", seconds_of(row))});
    Cells cells{name_of(row), fmt::format("{:.1f}", row.soft_volume)};
    if (grid.measured) cells.push_back(decimals(physical_size(grid, row.soft_volume), 1));
    cells.push_back(fmt::format("{:.1f}", row.entropy));
    soft.push_back(std::move(cells));
  }
  Cells head{"LMSD in"};
  for (const DistanceRow& distance : kDistances) head.push_back(std::string(distance.name) + " ");
  std::vector<Cells> lmsd{head};
  for (const MethodRow& row : rows) {
    Cells cells{name_of(row)};
    for (std::size_t d = 0; d < kDistances.size(); ++d) {
      const bool own = row.method->aim == Aim::distance && kDistances[d].distance == row.method->distance;
      cells.push_back(short_number(row.lmsd[d]) + (own ? "*" : " "));
    }
    lmsd.push_back(std::move(cells));
  }
  const TableStyle style{.width = width};
  return table(sizes, style) + "\n" + table(soft, style) + "\n" + table(lmsd, style) +
         "  * the distance that the method minimises\n";
}

std::string shape_table(const std::vector<MethodRow>& rows, std::size_t width) {
  std::vector<Cells> cells{{"method", "parts", "isolated", "size", "soft volume"},
                           {"", "", "voxels", "to majority", "to average"}};
  for (const MethodRow& row : rows)
    cells.push_back({name_of(row), decimals(row.parts, 0), decimals(row.isolated, 0),
                     signed_percent(row.size_vs_majority), signed_percent(row.soft_vs_average)});
  return table(cells, {.width = width});
}

std::string pair_lines(const std::vector<MethodRow>& rows, const std::vector<MethodPair>& pairs) {
  std::vector<MethodPair> reported;
  for (const MethodPair& pair : pairs)
    if (pair.dice.defined()) reported.push_back(pair);
  if (reported.empty()) return "";
  const auto less = [](const MethodPair& a, const MethodPair& b) { return *a.dice < *b.dice; };
  const auto text = [&](const MethodPair& pair) {
    return fmt::format("{} and {} (Dice {:.4f})", rows[pair.a].method->name, rows[pair.b].method->name,
                       *pair.dice);
  };
  std::string lines = line("farthest", text(*std::min_element(reported.begin(), reported.end(), less)));
  if (reported.size() > 1)
    lines += line("nearest", text(*std::max_element(reported.begin(), reported.end(), less)));
  return lines;
}

}  // namespace crema::cli
