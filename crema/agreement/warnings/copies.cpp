// SPDX-License-Identifier: Apache-2.0
// Raters whose masks are the same, in all that they drew.
#include <algorithm>
#include <bit>

#include "crema/agreement/warnings/warnings.h"
#include "crema/agreement/warnings/who.h"
#include "crema/levels/level_maps.h"
#include "crema/reduction.h"

namespace crema {
namespace {

/// Whether two raters hold the same levels, too, where they give levels.
bool same_levels(const Reduction& reduction, std::size_t j, std::size_t k) {
  if (!reduction.levels) return true;
  const auto same = [&](const LevelPart& part) {
    const auto one = part.of(static_cast<int>(j)), other = part.of(static_cast<int>(k));
    return std::equal(one.begin(), one.end(), other.begin());
  };
  const LevelMaps& maps = *reduction.levels;
  return same(maps.rest) && std::all_of(maps.parts.begin(), maps.parts.end(), same);
}

/// Sets of two raters or more who drew the same voxels of every structure, and any at all.
std::vector<Raters> alike(std::span<const Reduction* const> structures) {
  const int raters = structures.front()->raters;
  std::vector<Raters> sets{raters < 64 ? (Raters{1} << raters) - 1 : ~Raters{0}};
  Raters drew_any = 0;
  for (const Reduction* const reduction : structures)
    for (const Crowns& crowns : reduction->crowns)
      for (const Subcrown& row : crowns.tally.rows) {
        drew_any |= row.raters;
        for (std::size_t i = 0, count = sets.size(); i < count; ++i)
          if (const Raters others = sets[i] & ~row.raters; others != 0 && others != sets[i]) {
            sets[i] &= row.raters;
            sets.push_back(others);
          }
        std::erase_if(sets, [](Raters set) { return std::has_single_bit(set); });
        if (sets.empty()) return sets;
      }
  std::erase_if(sets, [&](Raters set) { return (set & drew_any) == 0; });
  std::sort(sets.begin(), sets.end(),
            [](Raters a, Raters b) { return std::countr_zero(a) < std::countr_zero(b); });
  return sets;
}

/// One sentence for all copies of a mask.
void report_copies(std::size_t first, const std::vector<std::size_t>& copies, Names names,
                   Warnings& warnings) {
  if (copies.size() == 1)
    warnings.push_back({fmt::format("rater {} is identical to rater {}; if it is a copy, leave it out.",
                                    who(copies.front(), names), who(first, names)),
                        WarningKind::copy});
  if (copies.size() > 1)
    warnings.push_back({fmt::format("raters {} are identical to rater {}; leave out those that are copies.",
                                    who_all(copies, names), who(first, names)),
                        WarningKind::copy});
}

}  // namespace

Warnings warnings_about_copies(std::span<const Reduction* const> structures, Names names, Raters reported) {
  Warnings warnings;
  for (Raters set : alike(structures))
    while (set != 0) {
      const auto first = static_cast<std::size_t>(std::countr_zero(set));
      std::vector<std::size_t> copies;
      for (Raters left = set; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        if (!std::all_of(structures.begin(), structures.end(),
                         [&](const Reduction* reduction) { return same_levels(*reduction, first, k); }))
          continue;
        set &= ~(Raters{1} << k);
        if (k != first && (reported >> k & 1) == 0) copies.push_back(k);
      }
      report_copies(first, copies, names, warnings);
    }
  return warnings;
}

}  // namespace crema
