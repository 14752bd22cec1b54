// SPDX-License-Identifier: Apache-2.0
// The bytes are masks of at most 8³ voxels and a setting; the consensus is compared with a plain reading of
// the method, voxel by voxel.
#include <cmath>
#include <vector>

#include "crema/fuse.h"
#include "fuzz/fuzz.h"
#include "test/random_case.h"

namespace {

using random_case::Case;

void choose_neighbourhood(fuzz::Purse& purse, Case& c) {
  constexpr std::array planar{4, 8};
  constexpr std::array solid{6, 18, 26};
  if (!c.grid.flat() && purse.roll(0, 3) == 0)
    c.setting.slice_wise = static_cast<crema::Axis>(purse.roll(0, 2));
  const bool flat = c.grid.flat() || c.setting.slice_wise;
  c.setting.connectivity = flat ? planar[static_cast<std::size_t>(purse.roll(0, 1))]
                                : solid[static_cast<std::size_t>(purse.roll(0, 2))];
}

Case make_case(fuzz::Purse& purse) {
  Case c;
  c.grid.size = {purse.roll(1, 8), purse.roll(1, 8), purse.roll(1, 8)};
  c.masks.assign(static_cast<std::size_t>(purse.roll(1, 6)),
                 std::vector<std::uint8_t>(static_cast<std::size_t>(c.grid.voxels()), 0));
  choose_neighbourhood(purse, c);
  c.setting.distance = purse.flip() ? crema::Distance::jaccard : crema::Distance::dice;
  c.setting.tie = purse.flip() ? crema::Tie::background : crema::Tie::foreground;
  for (auto& mask : c.masks)
    for (std::size_t v = 0; v < mask.size(); v += 8)
      for (std::size_t bits = purse.byte(), b = v; b < std::min(v + 8, mask.size()); ++b, bits >>= 1)
        mask[b] = static_cast<std::uint8_t>(bits & 1);
  return c;
}

bool same_voxels(const crema::Image& image, const std::vector<std::uint8_t>& plain) {
  const auto& mask = std::get<crema::HardImage>(image);
  return std::equal(mask.begin(), mask.end(), plain.begin(), plain.end());
}

/// Of one criterion: group blocks find the least, subcrowns stay above it.
void check_blocks(const Case& c, crema::Options options) {
  for (const auto method : {options.method, std::string_view("soergel"), std::string_view("tanimoto")}) {
    options.method = method;
    options.blocks = crema::Blocks::subcrown;
    const double heuristic = crema::fuse(c.grid, c.views(), options).solution.lmsd;
    options.blocks = crema::Blocks::group;
    options.budget.nodes = 200;
    const crema::Solution best = crema::fuse(c.grid, c.views(), options).solution;
    fuzz::promise(best.lmsd <= heuristic + 1e-9, "the best consensus is worse than the heuristic");
    fuzz::promise(!best.lower_bound || *best.lower_bound <= best.lmsd + 1e-9, "a bound above the consensus");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Purse purse({data, size});
  const Case c = make_case(purse);
  crema::Options options = c.options();
  options.threads = 1;
  const crema::Consensus ours = crema::fuse(c.grid, c.views(), options);
  const slow::Result plain = slow::fuse(c.grid, c.masks, c.setting);
  fuzz::promise(same_voxels(ours.image, plain.mask), "another consensus than by the plain method");
  fuzz::promise(std::abs(ours.solution.lmsd - plain.lmsd) <= 1e-12 * (1 + plain.lmsd), "another LMSD");
  if (size % 8 == 0 && c.grid.voxels() <= 64 && c.masks.size() <= 4) check_blocks(c, options);
  return 0;
}
