// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "crema/counts/solve_options.h"
#include "crema/counts/tally.h"

/// Methods that estimate how well each rater does on the whole image, together with the consensus.
namespace crema {

struct Groups;

/// How likely a voxel is inside before any mask is seen.
struct Prior {
  enum class Kind : std::uint8_t { mean, number, power };

  Kind kind = Kind::mean;
  double value = 1;  ///< mean: a factor on the mean; number: the prior; power: the A of A/N^alpha
  double alpha = 1;
};

/// The prior for a region. `mean` is the share of the region that a rater draws on average.
double prior_value(const Prior& prior, const Groups& groups);

/// What has to stand still before an estimate counts as found. On a large background sensitivities and
/// specificities alone do so too early: they are 1 − O(1/N) while levels still move.
enum class Settling : std::uint8_t { rates_and_levels, rates };

struct GroupOptions;
struct GroupAnswer;
using GroupSolver = GroupAnswer (*)(const Groups&, const GroupOptions&);

struct GroupOptions {
  Tie tie = Tie::background;
  Prior prior = {};
  double tolerance = 1e-7;  ///< nothing that Settling names may still move by more
  Settling settling = Settling::rates_and_levels;
  int max_iterations = 10000;        ///< at least 1
  GroupSolver as_package = nullptr;  ///< `staple` as another package computes it
  double drop_below = 1;             ///< `simple` drops who is so many standard deviations below the mean
  std::function<bool()> stop = {};   ///< once it says true, iterating ends
};

/// What was found out about the raters.
struct Performance {
  std::vector<double> sensitivity, specificity;  ///< one per rater; with nothing to go by, 1
  std::optional<double> prior = {};              ///< the one used, where a method has one
  int iterations = 0;
  bool converged = false;
  double change = 0;          ///< of the sensitivity, specificity or level that moved most in the last step
  double log_likelihood = 0;  ///< in nats, of what the raters drew in the region
  std::vector<double> score = {};  ///< `simple`: overlap (Dice) of each rater with the estimate
  Raters dropped = 0;              ///< `simple`: who has no influence on the result
  bool disputed_only = false;      ///< only voxels on which raters disagree took part
};

struct GroupAnswer {
  Levels levels;  ///< one per row of the groups
  Performance performance;
};

/// Expectation maximisation of the marginal likelihood: STAPLE as most people know it.
GroupAnswer solve_staple(const Groups& groups, const GroupOptions& options);
/// STAPLE as CRKit's crlSTAPLE, the R package stapler and NiftySeg's seg_LabFusion compute it: other priors,
/// voxels, starts and stopping rules. Of the options only the tie policy concerns them.
GroupAnswer solve_as_crkit(const Groups& groups, const GroupOptions& options);
GroupAnswer solve_as_stapler(const Groups& groups, const GroupOptions& options);
GroupAnswer solve_as_stapler_bin(const Groups& groups, const GroupOptions& options);
GroupAnswer solve_as_niftyseg(const Groups& groups, const GroupOptions& options);
/// The same when a rater is as good inside as outside: one accuracy each.
GroupAnswer solve_accuracy(const Groups& groups, const GroupOptions& options);
/// The same when all raters share one sensitivity and one specificity.
GroupAnswer solve_shared(const Groups& groups, const GroupOptions& options);
/// Maximum likelihood: a mask instead of probabilities, no prior.
GroupAnswer solve_ml_staple(const Groups& groups, const GroupOptions& options);
/// Selective and iterative: raters who agree too little with the estimate are dropped.
GroupAnswer solve_simple(const Groups& groups, const GroupOptions& options);

}  // namespace crema
