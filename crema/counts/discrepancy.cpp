// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/discrepancy.h"

namespace crema {
namespace {

/// f(formula, what it takes for rater k: overlap, extent and size).
template <class F>
auto of_rater(const Sums& sums, int rater, const Distance& distance, F f) {
  const auto k = static_cast<std::size_t>(rater);
  const double extent = squares(distance) ? sums.squares : sums.total;
  return std::visit([&](const auto& formula) { return f(formula, sums.overlap[k], extent, sums.size[k]); },
                    formula_of(distance));
}

template <class Form>
double inner(const Form& formula, double a, double e, double s) {
  return e == 0 && s == 0 ? 0 : formula.inner(a, e, s);
}

}  // namespace

Sums sum_up(const Tally& tally, const Levels& levels) {
  const auto raters = static_cast<std::size_t>(tally.raters);
  Sums sums{.overlap = std::vector<double>(raters, 0), .size = std::vector<double>(raters, 0)};
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const auto n = static_cast<double>(tally.rows[r].voxels);
    const double x = levels[r];
    sums.total += n * x;
    sums.squares += n * x * x;
    for (std::size_t k = 0; k < raters; ++k)
      if ((tally.rows[r].raters >> k & 1) != 0) {
        sums.overlap[k] += n * x;
        sums.size[k] += n;
      }
  }
  return sums;
}

double distance_to(const Sums& sums, int rater, const Distance& distance) {
  return of_rater(sums, rater, distance, [](const auto& formula, double a, double e, double s) {
    return formula.distance(inner(formula, a, e, s));
  });
}

double squared_distance_to(const Sums& sums, int rater, const Distance& distance) {
  return of_rater(sums, rater, distance, [](const auto& formula, double a, double e, double s) {
    return formula.term(1.0, inner(formula, a, e, s));
  });
}

double squared_size(double size, const Distance& distance) {
  return std::visit([&](const auto& formula) { return formula.term(1.0, inner(formula, 0, 0, size)); },
                    formula_of(distance));
}

Fall fall_to(const Sums& sums, int rater, const Distance& distance, double weight, double all) {
  return of_rater(sums, rater, distance, [&](const auto& formula, double a, double e, double s) {
    const Fall fall = formula.fall(1, a, e, s);
    const double outer = formula.outer(inner(formula, a, e, s)) * weight / all;
    return Fall{outer * fall.overlap, outer * fall.extent};
  });
}

double criterion(const Sums& sums, const Distance& distance, const std::vector<double>& weights) {
  const double extent = squares(distance) ? sums.squares : sums.total;
  double sum = 0, all = 0;
  std::visit(
      [&](const auto& formula) {
        for (std::size_t k = 0; k < sums.size.size(); ++k) {
          const double w = weights.empty() ? 1 : weights[k];
          sum += formula.term(w, inner(formula, sums.overlap[k], extent, sums.size[k]));
          all += w;
        }
      },
      formula_of(distance));
  return sum / all;
}

double criterion(const Tally& tally, const Levels& levels, const Distance& distance,
                 const std::vector<double>& weights) {
  return criterion(sum_up(tally, levels), distance, weights);
}

}  // namespace crema
