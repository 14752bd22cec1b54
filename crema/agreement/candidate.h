// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "crema/agreement/measured.h"
#include "crema/counts/tally.h"
#include "crema/image/image.h"

namespace crema {

struct Reduction;

/// A mask from elsewhere beside the raters of a case: is it as good as one of them? Dice throughout; two
/// empty masks agree (1).
struct CandidateIndex {
  Measured mean_candidate;  ///< of its Dice with each rater
  Measured mean_pairs;      ///< of the raters' Dice with each other; undefined for one rater
  Measured index;           ///< Williams' index: the first by the second
  Measured difference;      ///< the first less the second
  Raters copies = 0;        ///< whose mask it is, to the voxel
};

/// Throws InputError when the mask has another size than the raters' grid.
CandidateIndex compare_candidate(const Reduction& reduction, const Image& mask);

/// What must be said beside such a number.
inline constexpr std::string_view kCandidateCaveat =
    "1 means that the candidate agrees with the raters as well as they agree with each other. A consensus of "
    "the same raters scores above 1 by construction, and a mask eroded by one voxel may score 0.99: the "
    "index does not show who is right.";

}  // namespace crema
