// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/stability.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "crema/agreement/overlap.h"
#include "crema/base/parallel.h"
#include "crema/counts/discrepancy.h"
#include "crema/counts/solvers.h"
#include "crema/stop.h"

namespace crema {
namespace {

constexpr double kPrecision = 1e-9;     ///< of a weight, relative
constexpr double kLargestWeight = 1e9;  ///< times the sum of all others
constexpr int kMaxSteps = 100;

/// One component, solved again and again with other weights.
class Question {
 public:
  Question(const Tally& tally, const Method& method, const Options& options)
      : tally_(tally),
        solver_(std::get<Solver>(method.solver)),
        distance_(method.distance.with(options.tversky)),
        solving_(solve_options(options)) {
    solving_.empty_test = EmptyTest::skip;
    if (solving_.weights.empty()) solving_.weights.assign(static_cast<std::size_t>(tally.raters), 1);
  }

  [[nodiscard]] double weight(std::size_t k) const { return solving_.weights[k]; }
  void set_weight(std::size_t k, double weight) { solving_.weights[k] = weight; }
  [[nodiscard]] double weights_without(std::size_t k) const {
    double sum = 0;
    for (std::size_t j = 0; j < solving_.weights.size(); ++j) sum += j == k ? 0 : solving_.weights[j];
    return sum;
  }

  /// Criterion of the empty set less that of the best consensus that is not empty.
  double margin() {
    solve();
    if (is_empty(answer_)) return empty_ - least_start();
    return empty_ - criterion(tally_, answer_, distance_, solving_.weights);
  }

  [[nodiscard]] bool keeps() {
    solve();
    return !is_empty(answer_) &&
           !empty_is_better(empty_, criterion(tally_, answer_, distance_, solving_.weights), solving_.tie);
  }

  /// The weight of rater k at which the last answer would be as good as the empty set: with the answer held
  /// fixed the margin is linear in the weight.
  [[nodiscard]] double balance(std::size_t k) const {
    const Sums sums = sum_up(tally_, answer_);
    double rest = 0, slope = 0;
    for (std::size_t j = 0; j < solving_.weights.size(); ++j) {
      const double gain =
          squared_size(sums.size[j], distance_) - squared_distance_to(sums, static_cast<int>(j), distance_);
      if (j == k)
        slope = gain;
      else
        rest += solving_.weights[j] * gain;
    }
    return slope == 0 ? NAN : -rest / slope;
  }

 private:
  static bool is_empty(const Levels& levels) {
    return std::none_of(levels.begin(), levels.end(), [](double level) { return level > 0; });
  }

  void solve() {
    answer_ = solver_(tally_, solving_).levels;
    empty_ = criterion(tally_, Levels(tally_.rows.size(), 0), distance_, solving_.weights);
  }

  /// A greedy pass that shrinks may end with nothing. Then the best of what is within each total distance, of
  /// what so many raters drew, and of each rater's own mask stands for the best that is not empty.
  [[nodiscard]] double least_start() const {
    double least = HUGE_VAL;
    const auto attempt = [&](auto inside) {
      Levels levels;
      for (const Subcrown& row : tally_.rows) levels.push_back(inside(row) ? 1 : 0);
      if (!is_empty(levels)) least = std::min(least, criterion(tally_, levels, distance_, solving_.weights));
    };
    for (std::size_t r = 0; r < tally_.rows.size(); ++r)
      if (r == 0 || tally_.rows[r].distance != tally_.rows[r - 1].distance)
        attempt([&](const Subcrown& row) { return row.distance <= tally_.rows[r].distance; });
    for (int k = 0; k < tally_.raters; ++k) {
      attempt([&](const Subcrown& row) { return (row.raters >> k & 1) != 0; });
      attempt([&](const Subcrown& row) { return std::popcount(row.raters) > k; });
    }
    return least;
  }

  const Tally& tally_;
  Solver solver_;
  Distance distance_;
  SolveOptions solving_;
  Levels answer_;
  double empty_ = 0;
};

/// Weights of a rater between which the decision turns.
struct Bracket {
  double kept, dropped;
  double scale;  ///< the sum of the other weights, beside which a weight may be as good as 0

  [[nodiscard]] bool holds(double weight) const {
    return weight > std::min(kept, dropped) && weight < std::max(kept, dropped);
  }
  [[nodiscard]] bool closed() const {
    return std::abs(kept - dropped) <= kPrecision * std::max({4 * kept, 4 * dropped, scale / 4});
  }
};

/// The best consensus hardly moves while a weight does, so the weight at which the last one is balanced is
/// close: it is tried from both sides. Where it leads nowhere the bracket is halved.
double narrow(Question& question, std::size_t k, Bracket bracket) {
  const auto ask = [&](double weight) {
    question.set_weight(k, weight);
    const bool keeps = question.keeps();
    (keeps ? bracket.kept : bracket.dropped) = weight;
    return keeps;
  };
  for (int step = 0; step < kMaxSteps && !bracket.closed(); ++step) {
    const double width = std::abs(bracket.kept - bracket.dropped);
    question.set_weight(k, bracket.kept);
    question.margin();
    const double balanced = question.balance(k);
    for (const double side : {1 - kPrecision, 1 + kPrecision})
      if (bracket.holds(balanced * side)) ask(balanced * side);
    if (std::abs(bracket.kept - bracket.dropped) > width / 2) ask((bracket.kept + bracket.dropped) / 2);
  }
  if (std::min(bracket.kept, bracket.dropped) == 0) return 0;  // the decision turns at the very end
  return (bracket.kept + bracket.dropped) / 2;
}

std::optional<double> find_flip(Question& question, std::size_t k, bool kept, bool present) {
  const double own = question.weight(k), others = question.weights_without(k);
  if (others == 0) return std::nullopt;  // nobody to be weighed against
  const bool raise = kept != present;    // raising a weight serves what the rater drew
  double other = 0;
  if (raise) {
    other = kLargestWeight * others;
    if (own >= other) return std::nullopt;
  }
  question.set_weight(k, other);
  std::optional<double> found;
  if (question.keeps() != kept)
    found = narrow(question, k, kept ? Bracket{own, other, others} : Bracket{other, own, others});
  question.set_weight(k, own);
  return found;
}

Measured margin_of(const Tally& tally, const Decision& decision, const Solution& solution,
                   const Options& options) {
  if (solution.method->aim != Aim::distance) return Undefined::no_criterion;
  if (decision.soft_voxels == 0) return Question(tally, *solution.method, options).margin();
  return criterion(tally, Levels(tally.rows.size(), 0), solution.method->distance.with(options.tversky),
                   options.weights) -
         decision.criterion;
}

template <class F>
void for_each(const Reduction& reduction, const Options& options, F f) {
  with_threads(options.threads, [&] {
    parallel_for(std::ssize(reduction.crowns), [&](std::int64_t i) {
      throw_if_stopped(options);
      f(static_cast<std::size_t>(i));
    });
  });
}

}  // namespace

std::vector<Measured> measure_margins(const Reduction& reduction, const Solution& solution,
                                      const Options& options) {
  std::vector<Measured> margins(reduction.crowns.size());
  for_each(reduction, options, [&](std::size_t c) {
    margins[c] = margin_of(reduction.crowns[c].tally, solution.components[c], solution, options);
  });
  return margins;
}

std::vector<Stability> measure_stability(const Reduction& reduction, const Solution& solution,
                                         const Options& options) {
  std::vector<Stability> list(reduction.crowns.size());
  for_each(reduction, options, [&](std::size_t c) {
    const Tally& tally = reduction.crowns[c].tally;
    Stability& one = list[c];
    one.kept = solution.components[c].soft_voxels > 0;
    one.margin = margin_of(tally, solution.components[c], solution, options);
    one.flip_weight.resize(static_cast<std::size_t>(reduction.raters));
    if (solution.method->aim != Aim::distance || options.empty_test == EmptyTest::skip) return;
    Question question(tally, *solution.method, options);
    const Raters present = raters_present(tally);
    const bool kept = question.keeps();  // a label that shares an image may have lost what it keeps alone
    for (std::size_t k = 0; k < one.flip_weight.size(); ++k)
      one.flip_weight[k] = find_flip(question, k, kept, (present >> k & 1) != 0);
  });
  return list;
}

}  // namespace crema
