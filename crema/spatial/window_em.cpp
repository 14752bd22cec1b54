// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/window_em.h"

#include <cmath>
#include <utility>

namespace crema {
namespace {

/// Adds terms that are finite. The error of each addition is exact, so that its order of sizes does not
/// matter.
void add_term(double& sum, double& error, double term) {
  const double next = sum + term, added = next - sum;
  error += (sum - (next - added)) + (term - added);
  sum = next;
}

/// Divides a pair of sums by their sum, after which so many more count as right and as wrong; nothing at all
/// counts as all right.
void rate_of(double right_sum, double wrong_sum, double voxels, const WindowEmOptions& o, double& right,
             double& wrong) {
  const double all = right_sum + wrong_sum;
  right = all > 0 ? right_sum / all : 1;
  wrong = all > 0 ? wrong_sum / all : 0;
  const double total = voxels + o.right + o.wrong;
  if (total == 0) return;
  right = (right * voxels + o.right) / total;
  wrong = (wrong * voxels + o.wrong) / total;
}

}  // namespace

void WindowEm::begin(const Groups& groups) {
  const auto raters = static_cast<std::size_t>(groups.raters), rows = groups.rows.size();
  by_row_.resize(rows * raters);
  by_rater_.resize(rows * raters);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < raters; ++k)
      by_row_[r * raters + k] = by_rater_[k * rows + r] = static_cast<double>(groups.rows[r].raters >> k & 1);
  for (Rates* rates : {&rates_, &before_})
    for (std::vector<double>* one : {&rates->hit, &rates->miss, &rates->pass, &rates->slip})
      one->resize(raters);
}

/// A rater who drew the row gets nothing but zeros as misses and passes, and the other way round.
void WindowEm::add_row(std::size_t row, double inside, double outside) {
  const std::size_t raters = hit_.sum.size();
  const double* const drew = by_row_.data() + row * raters;
  double* const __restrict hit = hit_.sum.data();
  double* const __restrict hit_error = hit_.error.data();
  double* const __restrict miss = miss_.sum.data();
  double* const __restrict miss_error = miss_.error.data();
  for (std::size_t k = 0; k < raters; ++k) {
    const double own = drew[k] * inside;
    add_term(hit[k], hit_error[k], own);
    add_term(miss[k], miss_error[k], inside - own);
  }
  double* const __restrict slip = slip_.sum.data();
  double* const __restrict slip_error = slip_.error.data();
  double* const __restrict pass = pass_.sum.data();
  double* const __restrict pass_error = pass_.error.data();
  for (std::size_t k = 0; k < raters; ++k) {
    const double own = drew[k] * outside;
    add_term(slip[k], slip_error[k], own);
    add_term(pass[k], pass_error[k], outside - own);
  }
}

void WindowEm::find_rates(const Groups& groups, const Levels& levels) {
  const auto raters = static_cast<std::size_t>(groups.raters);
  for (Sums* sums : {&hit_, &miss_, &pass_, &slip_}) sums->clear(raters);
  double inside = 0, outside = 0;
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    const auto voxels = static_cast<double>(groups.rows[r].voxels);
    const double in = voxels * levels[r], out = voxels * (1 - levels[r]);
    inside += in;
    outside += out;
    add_row(r, in, out);
  }
  for (std::size_t k = 0; k < raters; ++k) {
    rate_of(hit_.value(k), miss_.value(k), inside, options_, rates_.hit[k], rates_.miss[k]);
    rate_of(pass_.value(k), slip_.value(k), outside, options_, rates_.pass[k], rates_.slip[k]);
  }
}

/// False where something cannot be, which takes sums of infinite terms.
bool WindowEm::sum_evidence(std::size_t rows) {
  inside_.clear(rows);
  outside_.clear(rows);
  for (std::size_t k = 0; k < rates_.hit.size(); ++k) {
    const double hit = std::log(rates_.hit[k]), miss = std::log(rates_.miss[k]);
    const double pass = std::log(rates_.pass[k]), slip = std::log(rates_.slip[k]);
    if (!std::isfinite(hit + miss + pass + slip)) return false;
    const double* const drew = by_rater_.data() + k * rows;
    double* const __restrict in = inside_.sum.data();
    double* const __restrict in_error = inside_.error.data();
    for (std::size_t r = 0; r < rows; ++r) add_term(in[r], in_error[r], drew[r] != 0 ? hit : miss);
    double* const __restrict out = outside_.sum.data();
    double* const __restrict out_error = outside_.error.data();
    for (std::size_t r = 0; r < rows; ++r) add_term(out[r], out_error[r], drew[r] != 0 ? slip : pass);
  }
  return true;
}

void WindowEm::find_levels(const Groups& groups, const LogPrior& prior, Levels& levels) {
  if (sum_evidence(levels.size())) {
    for (std::size_t r = 0; r < levels.size(); ++r)
      levels[r] = posterior({inside_.value(r), outside_.value(r)}, prior);
    return;
  }
  const std::vector<Evidence> evidence = evidence_of(groups, rates_);
  for (std::size_t r = 0; r < levels.size(); ++r) levels[r] = posterior(evidence[r], prior);
}

bool WindowEm::run(const Groups& groups, double prior, Levels& levels) {
  begin(groups);
  levels = vote_shares(groups);
  const LogPrior logs = log_prior(prior);
  bool converged = false;
  for (int i = 0; i < options_.max_iterations && !converged; ++i) {
    find_rates(groups, levels);
    find_levels(groups, logs, levels);
    converged = i > 0 && largest_change(rates_, before_) <= options_.tolerance;
    std::swap(rates_, before_);
  }
  return converged;
}

}  // namespace crema
