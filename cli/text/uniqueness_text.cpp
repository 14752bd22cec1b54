// SPDX-License-Identifier: Apache-2.0
#include "cli/text/uniqueness_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/help/help.h"
#include "cli/text/table.h"
#include "crema/base/text.h"
#include "crema/tables/method.h"

namespace crema::cli {
namespace {

std::string entropies(const Method& method, const Uniqueness& one) {
  if (method.kind == Kind::hard) return "–";
  if (one.entropy_high - one.entropy_low < 0.05) return fmt::format("{:.1f}", one.entropy_high);
  return fmt::format("{:.1f}–{:.1f}", one.entropy_low, one.entropy_high);
}

}  // namespace

std::string uniqueness_text(const std::vector<NamedUniqueness>& found, std::size_t width) {
  std::vector<Cells> rows{{"minimiser", "LMSD", "size", "within 1 %", "undecided", "voxels", "entropy"}};
  std::size_t optional_components = 0, unexamined = 0;
  for (const auto& [name, one] : found) {
    if (!one) continue;
    optional_components = std::max(optional_components, one->optional_components);
    unexamined = std::max(unexamined, one->unexamined);
    rows.push_back({name, fmt::format("{:.4f}", one->lmsd), fmt::format("{:.1f}", one->size),
                    fmt::format("{:.1f}–{:.1f}", one->smallest, one->largest),
                    fmt::format("{} of {}", one->undecided, one->groups),
                    fmt::format("{}", one->undecided_voxels), entropies(find_method(name), *one)});
  }
  if (rows.size() == 1) return "";
  std::string text = "\n" + table(rows, {.width = width});
  if (optional_components > 0)
    text += wrap(fmt::format("Up to {} may be kept or left out within 1 %.",
                             counted(optional_components, "component")),
                 2, width);
  if (unexamined > 0)
    text += wrap(
        fmt::format("{} with more than {} rater groups {} not examined.", counted(unexamined, "component"),
                    kMaxExaminedGroups, unexamined == 1 ? "was" : "were"),
        2, width);
  return text;
}

}  // namespace crema::cli
