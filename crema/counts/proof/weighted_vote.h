// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/problem.h"
#include "crema/counts/tally.h"

namespace crema {

/// A consensus of the group problem and its criterion.
struct Voted {
  Levels levels;
  double criterion = 0;
};

/// The best mask among those of all groups with at least a given share of the votes. The problem's blocks are
/// the groups, here and below.
Voted best_threshold(const Problem& problem, const Tally& groups);

/// A minimiser is a weighted vote whose weights are the slopes of its own criterion: a group is in where the
/// weights of its raters exceed the price of the extent (with squares: its level is half their ratio, 1 at
/// most). Takes the weights of given levels, votes, and so on until nothing gets lower; a round costs as much
/// as reading the groups. The best levels on the way, never worse than those given.
Voted follow_votes(const Problem& problem, const Tally& groups, Voted start);

}  // namespace crema
