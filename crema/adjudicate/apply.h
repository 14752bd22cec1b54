// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "crema/adjudicate/decisions.h"
#include "crema/labels/structures.h"

namespace crema {

/// What decisions came to.
struct Applied {
  std::int64_t added = 0, removed = 0;  ///< voxels that the result has more and less than the consensus
};

/// A structure that decisions may be about.
struct DecidedStructure {
  const Reduction* reduction = nullptr;
  const Solution* solution = nullptr;
  std::string label = {};  ///< empty for a mask
  double value = 1;        ///< of its voxels in the image
};

/// Puts decisions into the consensus of all structures, one after the other in their order: an image of 0 and
/// 1, of levels, or of labels. Voxels that none of them is about stay as they are.
/// Throws InputError on a label, a component, a zone or a rater that the case does not have.
void apply_verdicts(std::span<const DecidedStructure> structures, std::span<const Verdict> verdicts,
                    const Image& consensus, Image& image);

/// How an image differs from another of its kind.
Applied compare_images(const Image& consensus, const Image& image);

}  // namespace crema
