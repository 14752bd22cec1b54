// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/panel.h"

#include <bit>
#include <cmath>
#include <set>

#include "crema/agreement/pairs.h"
#include "crema/phantom/hash.h"
#include "crema/voxels/votes/votes.h"

namespace crema {
namespace {

constexpr std::uint64_t kPurposeOfPanels = 0x70616E656C2E2E2E;  // keeps these draws apart from others

/// How many sets of that size there are, but at most one more than kMaxPanels.
int count_panels(int raters, int size) {
  double count = 1;
  for (int i = 1; i <= size; ++i) {
    count = count * (raters - size + i) / i;
    if (count > kMaxPanels) return kMaxPanels + 1;
  }
  return static_cast<int>(std::lround(count));
}

/// The next larger number with as many bits.
Raters next_of_same_size(Raters set) {
  const Raters low = set & (~set + 1), ripple = set + low;
  return ripple | (((set ^ ripple) >> 2) / low);
}

Raters draw_panel(int raters, int size, std::uint64_t key) {
  Raters panel = 0;
  for (std::uint64_t draw = 0; std::popcount(panel) < size; ++draw)
    panel |= Raters{1} << static_cast<int>(phantom::unit(phantom::mix(key ^ draw)) * raters);
  return panel;
}

double dice_of(const VoxelSet& a, const VoxelSet& b) {
  return dice({a.voxels, b.voxels, count_common(a, b)}).value_or(1);
}

}  // namespace

Raters everyone(int raters) { return raters == kMaxRaters ? ~Raters{0} : (Raters{1} << raters) - 1; }

std::vector<Raters> panels_of(int raters, int size, std::uint64_t seed) {
  const int count = count_panels(raters, size);
  if (count <= kMaxPanels) {
    std::vector<Raters> all;
    Raters panel = everyone(size);
    for (int i = 0; i < count; ++i, panel = next_of_same_size(panel)) all.push_back(panel);
    return all;
  }
  std::set<Raters> drawn;
  const std::uint64_t key =
      phantom::mix(phantom::mix(seed) ^ kPurposeOfPanels ^ static_cast<std::uint64_t>(size));
  for (std::uint64_t i = 0; static_cast<int>(drawn.size()) < kMaxPanels; ++i)
    drawn.insert(draw_panel(raters, size, phantom::mix(key ^ i)));
  return {drawn.begin(), drawn.end()};
}

VoxelSet consensus_of(const Reduction& reduction, Raters panel, const Method& method,
                      const Options& options) {
  Options own = options;
  own.progress = {};
  own.certify = Certify::no;
  own.weights.clear();
  for (std::size_t k = 0; k < options.weights.size(); ++k)
    if ((panel >> k & 1) != 0) own.weights.push_back(options.weights[k]);
  const Reduction less = reduce(reduction.grid, rebuild_votes(reduction, panel), method.needs, own);
  return set_of_consensus(less, solve(less, method, own), own);
}

std::vector<PanelResult> compare_panels(const Reduction& reduction, const Method& method,
                                        const Options& options, std::uint64_t seed) {
  const int raters = reduction.raters;
  const Raters all = everyone(raters);
  const VoxelSet whole = consensus_of(reduction, all, method, options);
  std::vector<PanelResult> found;
  for (int size = 1; 2 * size <= raters; ++size)
    for (const Raters panel : panels_of(raters, size, seed)) {
      const VoxelSet own = consensus_of(reduction, panel, method, options);
      const VoxelSet rest = consensus_of(reduction, all & ~panel, method, options);
      const double between = dice_of(own, rest);
      found.push_back({size, between, dice_of(own, whole)});
      if (2 * size < raters) found.push_back({raters - size, between, dice_of(rest, whole)});
    }
  return found;
}

}  // namespace crema
