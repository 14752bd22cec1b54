// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crema/fuse.h"
#include "crema/sentence.h"
#include "python/arrays.h"

namespace crema::python {

/// Python's masks of one image. Values are judged for masks that have a name; a nameless one was judged
/// before.
struct Masks {
  Masks(const Grid& grid, const std::vector<Bytes>& borrowed, std::vector<std::string> names);

  Grid grid;
  std::vector<Mask> voxels;
  std::vector<std::string> names;
};

struct Counted {
  std::shared_ptr<Reduction> reduction;
  Warnings warnings;
};

/// Masks to counts. The reduction holds the votes where there is need for neighbours.
Counted count(const Masks& masks, Needs needs, const Options& options);

}  // namespace crema::python
