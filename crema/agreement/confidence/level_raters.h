// SPDX-License-Identifier: Apache-2.0
// What a consensus of levels would be with other raters, and what each of them counts in it.
#pragma once

#include <vector>

#include "crema/agreement/confidence/weights_found.h"
#include "crema/fuse.h"
#include "crema/levels/sparse.h"

namespace crema {

/// A set of raters in which each place is taken by the rater drawn for it.
Raters drawn_set(Raters raters, const std::vector<std::size_t>& sources);

/// The same components with the maps of these raters, of whom one may be named several times.
Reduction with_level_raters(const Reduction& reduction, const std::vector<std::size_t>& raters);

/// The maps of these raters on the support.
std::vector<SparseLevels> maps_of_level_raters(const Reduction& reduction,
                                               const std::vector<std::size_t>& raters);

/// All maps but one, with components of their own.
Reduction without_level_rater(const Reduction& reduction, int rater, Needs needs, const Options& options);

/// What the raters count in each component, from the votes of the solution.
std::vector<FoundWeights> find_level_weights(const Reduction& reduction, const Solution& solution);

/// For each component the criterion of the empty map less that of the best one that is found and not empty.
std::vector<Measured> measure_level_margins(const Reduction& reduction, const Solution& solution,
                                            const Options& options);

}  // namespace crema
