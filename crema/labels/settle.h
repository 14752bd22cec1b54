// SPDX-License-Identifier: Apache-2.0
// Who gets the voxels that several labels claim, on counts alone.
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/counts/solvers.h"

namespace crema {

/// A component of one label that claims something another label claims too.
struct Claimant {
  Sums sums;             ///< of what it holds; disputed blocks belong to all that claim them until settled
  bool emptied = false;  ///< it gave way to the empty set
};

struct Claim {
  std::size_t claimant;  ///< its place in the list
  Raters raters;         ///< who gave the block's voxels that label
};

/// Voxels with the same label from every rater, the same claimants and the same components.
struct DisputedBlock {
  static constexpr int kOpen = -1, kNobody = -2;

  std::int64_t voxels = 0;
  std::int64_t first = 0;     ///< its first voxel in raster order
  std::vector<Claim> claims;  ///< by increasing label
  int holder = kOpen;         ///< the place of a claim
};

struct SettleOptions {
  Distance distance = Distance::jaccard;
  std::vector<double> weights = {};
  Tie tie = Tie::background;
  EmptyTest empty_test = EmptyTest::apply;
};

/// Gives each block to the claimant, or to nobody, with the least total criterion while all else stays, the
/// largest blocks first, until nothing moves. Ties: more raters, then the smaller label, then nobody.
/// Claimants for which the empty set is better afterwards give up all they hold. Returns the number of
/// sweeps.
int settle(std::vector<Claimant>& claimants, std::vector<DisputedBlock>& blocks,
           const SettleOptions& options);

}  // namespace crema
