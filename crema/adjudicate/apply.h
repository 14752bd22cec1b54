// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "crema/adjudicate/decisions.h"
#include "crema/labels/structures.h"

namespace crema {

/// What decisions came to.
struct Applied {
  std::int64_t added = 0, removed = 0;  ///< voxels that the result has more and less than the consensus
};

/// Puts decisions about one structure into its consensus: an image of 0 and 1, of levels, or of labels, in
/// which the structure's voxels have `value`. Verdicts are those of this structure, in their order; voxels
/// that none of them is about stay as they are.
/// Throws InputError on a component, a zone or a rater that the case does not have.
void apply_verdicts(const Reduction& reduction, const Solution& solution, std::span<const Verdict> verdicts,
                    double value, const Image& consensus, Image& image);

/// How an image differs from another of its kind.
Applied compare_images(const Image& consensus, const Image& image);

}  // namespace crema
