// SPDX-License-Identifier: Apache-2.0
// What it is worth to settle a zone.
#pragma once

#include "crema/agreement/review/zones.h"
#include "crema/counts/discrepancy.h"
#include "crema/fuse.h"

namespace crema {

/// The least criterion of a component once all who drew anything in it agree about a zone.
struct ZoneWorth {
  double if_inside = 0, if_outside = 0;
  double fall = 0;  ///< from what it is now, each of the two being as likely as the raters' weights say
};

/// One component of a solution, and what becomes of its criterion.
class ZoneEvaluator {
 public:
  ZoneEvaluator(const Tally& tally, const Decision& decision, const Method& method, const Options& options);

  /// With the consensus as it is but for the zone, which it takes or leaves.
  [[nodiscard]] ZoneWorth held(const Zone& zone) const;

  /// Solved anew; never above what `held` says. Total distances are taken as they are.
  [[nodiscard]] ZoneWorth solved(const Zone& zone) const;

 private:
  [[nodiscard]] double least(const Tally& tally) const;
  [[nodiscard]] double share_inside(const Zone& zone) const;
  [[nodiscard]] ZoneWorth finish(const Zone& zone, double if_inside, double if_outside) const;

  const Tally& tally_;
  const Decision& decision_;
  Raters present_;
  Solver solver_;
  Distance distance_;
  SolveOptions options_;
  Sums sums_;
};

}  // namespace crema
