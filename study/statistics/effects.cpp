// SPDX-License-Identifier: Apache-2.0
#include "study/statistics/effects.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "study/statistics/f_distribution.h"
#include "study/statistics/linear.h"

namespace crema::study {
namespace {

/// Observations case by case, so that what cases have in common can be taken out.
struct Grouped {
  std::vector<std::vector<Observation>> cases;
  std::size_t observations = 0, raters = 0;
};

std::optional<Grouped> group(std::span<const Observation> observations, std::size_t raters) {
  std::map<std::size_t, std::vector<Observation>> by_case;
  for (const Observation& one : observations) by_case[one.item].push_back(one);
  if (by_case.size() < 2 || raters < 2 || observations.size() <= by_case.size()) return std::nullopt;
  Grouped grouped{.cases = {}, .observations = observations.size(), .raters = raters};
  for (auto& [item, list] : by_case) grouped.cases.push_back(std::move(list));
  return grouped;
}

double mean_of_case(const std::vector<Observation>& list) {
  double sum = 0;
  for (const Observation& one : list) sum += one.value;
  return sum / static_cast<double>(list.size());
}

/// The normal equations of the raters once cases are taken out; singular, as only differences are known.
struct RaterEquations {
  Matrix left;
  std::vector<double> right;
  double squares = 0;  ///< within cases
};

RaterEquations equations_of(const Grouped& grouped) {
  RaterEquations result{Matrix(grouped.raters), std::vector<double>(grouped.raters, 0)};
  for (const auto& list : grouped.cases) {
    const double mean = mean_of_case(list), share = 1 / static_cast<double>(list.size());
    for (const Observation& one : list) {
      result.right[one.rater] += one.value - mean;
      result.squares += (one.value - mean) * (one.value - mean);
      result.left(one.rater, one.rater) += 1;
      for (const Observation& other : list) result.left(one.rater, other.rater) -= share;
    }
  }
  return result;
}

/// The mean of all cases as if every rater had drawn them.
double mean_without(const Grouped& grouped, const std::vector<double>& effects) {
  double sum = 0;
  for (const auto& list : grouped.cases) {
    double own = 0;
    for (const Observation& one : list) own += one.value - effects[one.rater];
    sum += own / static_cast<double>(list.size());
  }
  return sum / static_cast<double>(grouped.cases.size());
}

void add_test(double explained, double rest, RaterEffects& found) {
  if (!(found.rest_freedom > 0) || !(rest > 0)) return;
  found.f = explained / found.freedom / (rest / found.rest_freedom);
  found.p = f_tail(*found.f, found.freedom, found.rest_freedom);
}

/// Half the width of an effect's interval, from its place on the diagonal of the inverse.
std::optional<double> half_width(double inverse, double rest, double freedom) {
  if (!(freedom > 0)) return std::nullopt;
  const double t = std::sqrt(f_quantile(0.95, 1, freedom));
  return t * std::sqrt(std::max(0.0, inverse * rest / freedom));
}

}  // namespace

std::optional<RaterEffects> rater_effects(std::span<const Observation> observations, std::size_t raters) {
  const std::optional<Grouped> grouped = group(observations, raters);
  if (!grouped) return std::nullopt;
  RaterEquations equations = equations_of(*grouped);
  const auto k = static_cast<double>(raters);
  for (std::size_t i = 0; i < raters; ++i)
    for (std::size_t j = 0; j < raters; ++j) equations.left(i, j) += 1;  // effects sum to 0
  const std::optional<Matrix> lower = cholesky(equations.left);
  if (!lower) return std::nullopt;
  const std::vector<double> effects = solve_both(*lower, equations.right);
  double explained = 0;
  for (std::size_t i = 0; i < raters; ++i) explained += effects[i] * equations.right[i];
  const double rest = std::max(0.0, equations.squares - explained);
  RaterEffects found{.cases = std::ssize(grouped->cases), .observations = std::ssize(observations)};
  found.freedom = k - 1;
  found.rest_freedom = static_cast<double>(observations.size() - grouped->cases.size()) - found.freedom;
  add_test(explained, rest, found);
  const double mean = mean_without(*grouped, effects);
  for (std::size_t i = 0; i < raters; ++i) {
    std::vector<double> unit(raters, 0);
    unit[i] = 1;
    const double inverse = solve_both(*lower, std::move(unit))[i] - 1 / (k * k);
    RaterEffect one{.mean = mean + effects[i], .effect = effects[i]};
    one.cases = std::count_if(observations.begin(), observations.end(),
                              [&](const Observation& seen) { return seen.rater == i; });
    if (const auto half = half_width(inverse, rest, found.rest_freedom))
      one.interval = Interval{one.effect - *half, one.effect + *half};
    found.raters.push_back(one);
  }
  return found;
}

}  // namespace crema::study
