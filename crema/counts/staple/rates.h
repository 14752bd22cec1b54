// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/groups.h"

namespace crema {

/// Per rater the chances to draw a voxel that is inside (hit), to leave it out (miss), to leave out one that
/// is outside (pass) and to draw it (slip). Both of a pair are kept, since 1 − (1 − x) would lose what is
/// tiny.
struct Rates {
  std::vector<double> hit, miss, pass, slip;
};

/// The share of raters who drew each row.
Levels vote_shares(const Groups& groups);

/// The rates that fit given levels best. Where there is nothing inside (outside), nobody missed (slipped).
Rates rates_of(const Groups& groups, const Levels& levels);

/// How likely what the raters drew is, for a voxel inside and for one outside, as logarithms.
struct Evidence {
  double inside, outside;
};

/// The evidence of every row.
std::vector<Evidence> evidence_of(const Groups& groups, const Rates& rates);

/// The logarithms of a prior and of what it leaves.
struct LogPrior {
  double inside, outside;
};

LogPrior log_prior(double prior);

/// How the odds of inside against outside stand, given the evidence and the prior, as a logarithm. Rounding
/// errors do not break a tie: what is within them of even odds is 0.
double log_odds(const Evidence& evidence, double prior);
double log_odds(const Evidence& evidence, const LogPrior& prior);

/// The same as the chance that a voxel is inside; even odds give exactly one half.
double posterior(const Evidence& evidence, double prior);
double posterior(const Evidence& evidence, const LogPrior& prior);

/// Log-likelihood of all voxels under a prior.
double log_likelihood(const Groups& groups, const std::vector<Evidence>& evidence, double prior);

/// The largest difference between the rates of a rater.
double largest_change(const Rates& a, const Rates& b);

}  // namespace crema
