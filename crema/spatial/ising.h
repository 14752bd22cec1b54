// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "crema/base/memory.h"
#include "crema/counts/solvers.h"
#include "crema/image/image.h"
#include "crema/voxels/neighbourhood.h"
#include "crema/voxels/votes/votes.h"

namespace crema {

/// The labelling T that maximises Σ λ(i) T(i) + β Σ [T(i) = T(j)] over pairs of neighbours i, j: the most
/// probable one under an Ising prior, when λ are the log odds of each voxel on its own.
///
/// Solved exactly, by a smallest cut (Greig, Porteous and Seheult, 1989), with λ and β rounded to
/// the 28th binary digit of β. Of several best labellings it is the smallest or, for Tie::foreground, the
/// largest.
/// log_odds is called once per rater group and may be infinite. Throws InputError when it is not a number,
/// when beta is negative, or when the grid does not fit the votes.
HardImage ising_map(const Grid& grid, const Votes& votes, const std::function<double(Raters)>& log_odds,
                    const Neighbourhood& neighbourhood, double beta, Tie tie,
                    const MemoryAccount* memory = nullptr);

}  // namespace crema
