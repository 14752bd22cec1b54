// SPDX-License-Identifier: Apache-2.0
#include "crema/base/parallel.h"
#include "crema/fuse.h"
#include "crema/levels/reduce_levels.h"
#include "crema/levels/sparse.h"

namespace crema {

Consensus fuse_levels(const Grid& grid, std::span<const std::span<const float>> maps,
                      const Options& options) {
  const Method& method = find_method(options.method);
  Options own = options;
  own.blocks = Blocks::group;  // layers are solved as groups
  std::vector<SparseLevels> levels;
  with_threads(own.threads, [&] { levels = take_levels(grid.voxels(), maps, own.floor); });
  Reduction reduction = reduce_levels(grid, std::move(levels), own.floor, method.needs, own);
  Solution solution = solve(reduction, method, own);
  Image image = paint(reduction, solution, own);
  return {std::move(image), std::move(reduction), std::move(solution)};
}

}  // namespace crema
