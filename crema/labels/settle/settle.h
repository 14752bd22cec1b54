// SPDX-License-Identifier: Apache-2.0
// Who gets the voxels that several labels claim, on counts alone.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "crema/counts/discrepancy.h"
#include "crema/counts/solvers.h"

namespace crema {

/// A component of one label that may get voxels another label may get, too.
struct Claimant {
  Sums sums;             ///< of what it holds; an open block belongs to all that claim it
  bool keeps = false;    ///< it holds voxels outside all blocks that must not be left to nobody
  bool emptied = false;  ///< it gave way to the empty set
};

/// A label that a block may go to.
struct Claim {
  static constexpr std::size_t kNoComponent = std::numeric_limits<std::size_t>::max();

  std::size_t claimant = kNoComponent;  ///< its place in the list; kNoComponent where no rater drew the label
  Raters raters = 0;                    ///< who gave the block's voxels that label
  bool holds = false;                   ///< whether the label has the block while that is open
};

/// Voxels with the same label from every rater, the same claimants and the same components.
struct DisputedBlock {
  static constexpr int kOpen = -1, kNobody = -2;

  std::int64_t voxels = 0;
  std::vector<Claim> claims;  ///< by increasing label
  bool labelled = false;      ///< every rater gave it a label: it never goes to nobody
  int holder = kOpen;         ///< the place of a claim
};

struct SettleOptions {
  Distance distance = Distance::jaccard;
  std::vector<double> weights = {};
  Tie tie = Tie::background;
  EmptyTest empty_test = EmptyTest::apply;
};

/// Gives each block to the label, or to nobody, with the least total criterion while all else stays, the
/// largest blocks first, then those that reach the least total; blocks that tie there are decided together,
/// each against all others as they were, unless that together does not lower the total. Sweeps until nothing
/// moves. Ties between labels: more raters, then the smaller label, then nobody. Claimants for which the
/// empty set is better afterwards give up all they hold. Returns the number of sweeps.
int settle(std::vector<Claimant>& claimants, std::vector<DisputedBlock>& blocks,
           const SettleOptions& options);

}  // namespace crema
