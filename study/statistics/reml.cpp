// SPDX-License-Identifier: Apache-2.0
// Variance components by restricted maximum likelihood.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "study/statistics/effects.h"
#include "study/statistics/linear.h"

namespace crema::study {
namespace {

/// What the likelihood needs of one case: who drew it and what they came to.
using CaseRow = std::vector<std::pair<std::size_t, double>>;

struct Crossed {
  std::vector<CaseRow> cases;
  std::size_t raters = 0;
  double observations = 0;
};

/// Standard deviations of cases and of raters, in units of the error's.
using Ratios = std::array<double, 2>;

struct Fit {
  double deviance = std::numeric_limits<double>::infinity();
  double mean = 0, error = 0;
};

/// The mixed model's equations of raters and mean, the cases' part being taken out: row and column `raters`
/// are the mean's.
struct Reduced {
  Matrix left;
  std::vector<double> right;
  double squares = 0, log_cases = 0;
};

Reduced reduce_cases(const Crossed& data, const Ratios& ratios) {
  const std::size_t mean = data.raters;
  Reduced result{Matrix(mean + 1), std::vector<double>(mean + 1, 0)};
  for (std::size_t k = 0; k < mean; ++k) result.left(k, k) = 1;
  for (const CaseRow& row : data.cases) {
    const auto n = static_cast<double>(row.size());
    const double pivot = ratios[0] * ratios[0] * n + 1, taken = ratios[0] * ratios[0] / pivot;
    result.log_cases += std::log(pivot);
    double sum = 0;
    for (const auto& [rater, value] : row) {
      sum += value;
      result.squares += value * value;
    }
    result.squares -= taken * sum * sum;
    for (const auto& [rater, value] : row) {
      result.right[rater] += ratios[1] * (value - taken * sum);
      result.left(rater, rater) += ratios[1] * ratios[1];
      result.left(mean, rater) += ratios[1] * (1 - taken * n);
      for (const auto& other : row) result.left(rater, other.first) -= taken * ratios[1] * ratios[1];
    }
    result.left(mean, mean) += n - taken * n * n;
    result.right[mean] += sum - taken * n * sum;
  }
  for (std::size_t k = 0; k < mean; ++k) result.left(k, mean) = result.left(mean, k);
  return result;
}

Fit fit_at(const Crossed& data, const Ratios& ratios) {
  const Reduced result = reduce_cases(data, ratios);
  const std::optional<Matrix> lower = cholesky(result.left);
  if (!lower) return {};
  const std::vector<double> half = solve_lower(*lower, result.right);
  double rest = result.squares, log_all = result.log_cases;
  for (std::size_t i = 0; i < half.size(); ++i) {
    rest -= half[i] * half[i];
    log_all += 2 * std::log((*lower)(i, i));
  }
  const double freedom = data.observations - 1;
  Fit fit{.mean = half.back() / (*lower)(data.raters, data.raters), .error = rest / freedom};
  if (rest > 0) fit.deviance = log_all + freedom * (1 + std::log(2 * std::numbers::pi * rest / freedom));
  return fit;
}

/// Nelder and Mead's search in two dimensions; what lies below 0 is reflected.
class Search {
 public:
  Search(const Crossed& data, Ratios start, double step) : data_(data) {
    corners_ = {at(start), at({start[0] + step, start[1]}), at({start[0], start[1] + step})};
  }

  Ratios run() {
    for (int i = 0; i < 2000; ++i) {
      std::sort(corners_.begin(), corners_.end(),
                [](const Corner& a, const Corner& b) { return a.deviance < b.deviance; });
      const double size = std::hypot(corners_[2].place[0] - corners_[0].place[0],
                                     corners_[2].place[1] - corners_[0].place[1], 0);
      if (size < 1e-9 * (1 + corners_[0].place[0] + corners_[0].place[1])) break;
      move();
    }
    return corners_[0].place;
  }

 private:
  struct Corner {
    Ratios place{};
    double deviance = 0;
  };

  [[nodiscard]] Corner at(Ratios place) const {
    for (double& ratio : place) ratio = std::abs(ratio);
    return {place, fit_at(data_, place).deviance};
  }

  /// From the middle of the better two, so many times as far as the worst lies on the other side.
  [[nodiscard]] Corner along(double times) const {
    Ratios place{};
    for (std::size_t d = 0; d < 2; ++d) {
      const double middle = (corners_[0].place[d] + corners_[1].place[d]) / 2;
      place[d] = middle + times * (middle - corners_[2].place[d]);
    }
    return at(place);
  }

  void move() {
    const Corner across = along(1);
    if (across.deviance < corners_[0].deviance) {
      const Corner farther = along(2);
      corners_[2] = farther.deviance < across.deviance ? farther : across;
      return;
    }
    if (across.deviance < corners_[1].deviance) {
      corners_[2] = across;
      return;
    }
    const Corner nearer = along(across.deviance < corners_[2].deviance ? 0.5 : -0.5);
    if (nearer.deviance < std::min(across.deviance, corners_[2].deviance)) {
      corners_[2] = nearer;
      return;
    }
    for (std::size_t c = 1; c < 3; ++c) {
      Ratios half{};
      for (std::size_t d = 0; d < 2; ++d) half[d] = (corners_[0].place[d] + corners_[c].place[d]) / 2;
      corners_[c] = at(half);
    }
  }

  const Crossed& data_;
  std::array<Corner, 3> corners_;
};

/// The best of several starts, each begun again where it stood still; no variance at all is tried, too.
Ratios best_ratios(const Crossed& data) {
  Ratios best{};
  for (const Ratios& start : {Ratios{1, 1}, Ratios{5, 0.1}, Ratios{0.1, 1}, Ratios{20, 5}}) {
    const Ratios first = Search(data, start, 0.5).run();
    const Ratios found = Search(data, first, 0.1).run();
    for (const Ratios& place : {found, Ratios{found[0], 0}, Ratios{0, found[1]}})
      if (fit_at(data, place).deviance < fit_at(data, best).deviance) best = place;
  }
  return best;
}

/// What the search leaves of a variance that vanishes is none.
double variance(double ratio, double error) { return ratio < 1e-6 ? 0 : ratio * ratio * error; }

}  // namespace

std::optional<VarianceComponents> variance_components(std::span<const Observation> observations,
                                                      std::size_t raters) {
  std::map<std::size_t, CaseRow> by_case;
  double mean = 0;
  for (const Observation& one : observations) mean += one.value / static_cast<double>(observations.size());
  for (const Observation& one : observations) by_case[one.item].emplace_back(one.rater, one.value - mean);
  if (by_case.size() < 2 || raters < 2 || observations.size() <= by_case.size()) return std::nullopt;
  Crossed data{.cases = {}, .raters = raters, .observations = static_cast<double>(observations.size())};
  for (auto& [item, row] : by_case) data.cases.push_back(std::move(row));
  const Ratios ratios = best_ratios(data);
  const Fit fit = fit_at(data, ratios);
  if (!std::isfinite(fit.deviance)) return std::nullopt;
  return VarianceComponents{mean + fit.mean, variance(ratios[0], fit.error), variance(ratios[1], fit.error),
                            fit.error};
}

}  // namespace crema::study
