// SPDX-License-Identifier: Apache-2.0
#include "crema/records/component_rows.h"

#include <iterator>
#include <string>

#include <fmt/format.h>

#include "crema/records/table.h"
#include "crema/records/tables.h"
#include "crema/tables/method.h"

namespace crema {

std::string component_columns(bool labels) {
  return std::string(labels ? "label," : "") +
         "component,x0,y0,z0,x1,y1,z1,union_voxels,consensus_voxels,kept,method\n";
}

void write_components(const Reduction& reduction, const Solution& solution, const std::string& label,
                      const std::function<void(std::string_view)>& write) {
  constexpr std::size_t kPiece = 1 << 16, kLongestRow = 256;
  std::string first;
  if (!label.empty()) {
    first = csv_header({label});
    first.resize(first.find_last_not_of("\r\n") + 1);
    first += ',';
  }
  std::string piece;
  piece.reserve(kPiece + kLongestRow);
  for (std::size_t c = 0; c < reduction.components.list.size(); ++c) {
    const auto& [box, voxels, first_run, runs] = reduction.components.list[c];
    const Decision& decision = solution.components[c];
    fmt::format_to(std::back_inserter(piece), "{}{},{},{},{},{},{},{},{},{},{},{}\n", first, c + 1,
                   box.low[0], box.low[1], box.low[2], box.high[0], box.high[1], box.high[2], voxels,
                   decision.voxels, decision.soft_voxels > 0 ? 1 : 0, solution.method->name);
    if (piece.size() < kPiece) continue;
    write(piece);
    piece.clear();
  }
  write(piece);
}

}  // namespace crema
