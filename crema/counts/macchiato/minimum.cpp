// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/minimum.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/macchiato/ratio_line.h"

namespace crema {
namespace {

/// Stretches shorter than this are settled at their ends.
constexpr double kShortest = 1e-8;

/// Gains below the rounding error of a criterion are not searched for.
constexpr double kNoGain = 1e-15;

/// The zero of the first derivative on a stretch where the criterion is convex and the zero is inside,
/// searched from a level in it, which has these slopes.
double newton(const Strands& line, Interval y, double at, Derivatives<double> s) {
  // Each step squares what is left of the error.
  constexpr double kLastStep = 1e-12;
  for (int i = 0; i < 100; ++i) {
    if (s.first > 0)
      y.high = at;
    else
      y.low = at;
    double next = s.second > 0 ? at - s.first / s.second : y.low;
    const bool inside = next > y.low && next < y.high;
    if (!inside) next = 0.5 * (y.low + y.high);
    if ((inside && std::abs(next - at) <= kLastStep) || next == y.low || next == y.high) return next;
    at = next;
    s = slopes(line, at);
  }
  return at;
}

class Search {
 public:
  Search(const Line& line, double now) : line_(line), whole_(difference_of(line_, 1, 0)), now_(now) {
    if (lowers(whole_)) best_ = 1;
    const Interval all{0, 1};
    const Derivatives<Interval> s = slopes(line_, all);
    if (!at_an_end(all, s)) halve_or_descend(all, s);
  }

  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] BestStep step() const {
    return {best_, best_ == now_ ? 0 : difference_of(line_, best_, now_).value, whole_.terms};
  }

 private:
  static bool at_an_end(Interval y, const Derivatives<Interval>& s) {
    return s.first.low >= 0 || s.first.high <= 0 || s.second.high <= 0 || y.high - y.low < kShortest;
  }
  static bool lowers(const Difference& change) { return change.value < -kTie * change.terms; }

  void settle(Interval y) {
    const Derivatives<Interval> s = slopes(line_, y);
    if (!at_an_end(y, s)) return halve_or_descend(y, s);
    offer(y.low);
    offer(y.high);
  }

  void halve_or_descend(Interval y, const Derivatives<Interval>& s) {
    if (s.second.low >= 0) return settle_convex(y);
    const double middle = 0.5 * (y.low + y.high), steepest = std::max(s.first.high, -s.first.low);
    offer(middle);
    // Newton's method from the middle gives an early good value, against which far stretches fail at once.
    if (y.high - y.low == 1) {
      const double start = start_in(y);
      offer(newton(line_, y, start, slopes(line_, start)));
    }
    if (value_of(line_, middle) - (middle - y.low) * steepest > value_of(line_, best_) - kNoGain) return;
    settle({y.low, middle});
    settle({middle, y.high});
  }

  /// The level there is now, which is often near the best one.
  [[nodiscard]] double start_in(Interval y) const {
    return now_ > y.low && now_ < y.high ? now_ : 0.5 * (y.low + y.high);
  }

  void settle_convex(Interval y) {
    const double start = start_in(y);
    const Derivatives<double> s = slopes(line_, start);
    // The zero lies between the start and one end, or beyond that end.
    const double end = s.first > 0 ? y.low : y.high, there = slopes(line_, end).first;
    const bool beyond = s.first > 0 ? there >= 0 : there <= 0;
    offer(beyond ? end : newton(line_, y, start, s));
  }

  /// The level that was offered first stays on a tie.
  void offer(double y) {
    if (lowers(difference_of(line_, y, best_))) best_ = y;
  }

  Strands line_;
  Difference whole_;  ///< of the criterion, from level 0 to level 1
  double now_, best_ = 0;
};

}  // namespace

double value_at(const Line& line, double y) { return value_of(Strands(line), y); }

Difference difference(const Line& line, double y, double z) { return difference_of(Strands(line), y, z); }

double minimise(const Line& line, double now) { return Search(line, now).best(); }

BestStep best_step(const Line& line, double now) { return Search(line, now).step(); }

}  // namespace crema
