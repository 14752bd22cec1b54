// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <vector>

#include <crema/crema.h>

int main() {
  const std::vector<std::uint8_t> plus{0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
  const std::vector<crema::Mask> raters{plus, plus, plus};
  const crema::Grid grid{.size = {4, 4, 1}};
  const crema::Consensus consensus = crema::fuse(grid, raters);
  std::printf("%d voxels of %d, LMSD %.4f\n", static_cast<int>(consensus.solution.voxels),
              static_cast<int>(grid.voxels()), consensus.solution.lmsd);
}
