// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crema/counts/problem.h"
#include "crema/counts/proof/envelope.h"
#include "crema/counts/solve_options.h"

namespace crema {

/// The group problem of one component in units of its union, for proving lower bounds.
///
/// With the extent T = Σ n x (or Σ n x²) given, rater k's squared distance is a curve in u = a/both, where
/// both = A T + B s has the coefficients of the ratio. For any prices α of the raters' overlaps and λ of the
/// extent, whatever the levels,
///
///   criterion ≥ absent + Σ_k min_u (w curve(u) + α_k both_k u) − λ T + Σ_g n_g min_x (λ x^p − x Σ_{k∈g}
///   α_k).
///
/// The last sum does not depend on T, and the first is a minimum of linear functions of T, hence concave:
/// over a stretch of T the right side is least at one of the two ends. Good prices at one T bound a whole
/// stretch.
struct Relaxation {
  Ratio ratio = {};
  Curve curve = Curve(Ratio{});
  bool squared = false;  ///< p = 2: the extent is a sum of squares
  double unit = 1;       ///< voxels in the union; all sizes below are divided by it
  double absent = 0;
  std::vector<double> weight, size;                 ///< per rater of the panel
  std::vector<double> voxels;                       ///< per group
  std::vector<std::vector<std::uint32_t>> members;  ///< per group: its raters

  [[nodiscard]] std::size_t raters() const { return size.size(); }
  [[nodiscard]] double both(double extent, std::size_t k) const { return ratio.both(extent, size[k]); }
  [[nodiscard]] std::size_t groups() const { return voxels.size(); }
};

Relaxation relax(const Problem& groups);

/// A set of consensuses: extents, shares u of the raters and levels of the groups in given ranges.
struct Domain {
  double low = 0, high = 1;           ///< of the extent T
  std::vector<double> u_low, u_high;  ///< per rater
  std::vector<double> x_low, x_high;  ///< per group
};

Domain whole(const Relaxation& relaxation);

/// Narrows the ranges of u to what the range of T leaves possible.
void tighten(const Relaxation& relaxation, Domain& region);

struct Prices {
  std::vector<double> rater;  ///< of a voxel of overlap with each rater
  double extent = 0;
};

/// The prices that make the levels x stationary: exact where x is a minimiser at its own extent.
Prices prices_at(const Relaxation& relaxation, const std::vector<double>& x);

/// A lower bound of the criterion over the region, rounding errors taken off. Any prices give a valid one.
double bound(const Relaxation& relaxation, const Domain& region, const Prices& prices);

/// Prices that are nearly the best at extent `reference`, and levels that go with them.
struct Priced {
  Prices prices;
  std::vector<double> levels;
  double bound;  ///< over the region
};

/// Proximal steps on the dual, each by Newton's method, from `start`. Stops once the bound reaches `enough`,
/// or when it is plain that it will not, or when it is stopped.
Priced best_prices(const Relaxation& relaxation, const Domain& region, double reference, const Priced& start,
                   double enough, const Stop& stop = {});

}  // namespace crema
