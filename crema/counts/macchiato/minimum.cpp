// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/minimum.h"

#include <algorithm>
#include <cmath>
#include <optional>

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

/// The level there is, to start a search from, which is often near the best one.
double start_in(Interval y, double now) { return now > y.low && now < y.high ? now : 0.5 * (y.low + y.high); }

/// What a Search would find, to the last bit, where a glance shows it: an end, from which the criterion rises
/// all the way, or the one zero of the slope of a criterion that is convex and rises to both ends.
std::optional<double> find_at_a_glance(const Strands& line, double now) {
  constexpr double kRounding = 1e-9, kTies = 10 * kTie;
  const Glance glance = glance_at(line);
  if (line.c2 == 0) {
    if (!(std::abs(glance.slope) > glance.most_bent + kRounding * glance.terms)) return {};
    return glance.slope < 0 ? 1 : 0;
  }
  if (!glance.convex) return {};
  const Interval all{0, 1};
  const double start = start_in(all, now), rounding = kTies * glance.terms;
  const Derivatives<double> s = slopes(line, start);
  if (!(s.first - glance.bent * start < -rounding && s.first + glance.bent * (1 - start) > rounding))
    return {};
  const double level = newton(line, all, start, s), off = std::min(level, 1 - level);
  if (!(0.5 * glance.bent * off * off > rounding)) return {};
  return level;
}

class Search {
 public:
  Search(const Strands& line, double now) : line_(line), now_(now) {
    if (lowers(difference_of(line_, 1, 0))) best_ = 1;
    const Interval all{0, 1};
    const Derivatives<Interval> s = slopes(line_, all);
    if (!at_an_end(all, s)) halve_or_descend(all, s);
  }

  [[nodiscard]] double best() const { return best_; }

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
      const double start = start_in(y, now_);
      offer(newton(line_, y, start, slopes(line_, start)));
    }
    if (value_of(line_, middle) - (middle - y.low) * steepest > value_of(line_, best_) - kNoGain) return;
    settle({y.low, middle});
    settle({middle, y.high});
  }

  void settle_convex(Interval y) {
    const double start = start_in(y, now_);
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

  const Strands& line_;
  double now_, best_ = 0;
};

double best_level(const Strands& line, double now) {
  const std::optional<double> level = find_at_a_glance(line, now);
  return level ? *level : Search(line, now).best();
}

}  // namespace

double value_at(const Line& line, double y) { return value_of(Strands(line), y); }

Difference difference(const Line& line, double y, double z) { return difference_of(Strands(line), y, z); }

std::optional<double> find_at_a_glance(const Line& line, double now) {
  return find_at_a_glance(Strands(line), now);
}

double find_by_search(const Line& line, double now) { return Search(Strands(line), now).best(); }

double minimise(const Line& line, double now) { return best_level(Strands(line), now); }

BestStep best_step(const Line& line, double now) {
  const Strands strands(line);
  const double best = best_level(strands, now);
  return {best, best == now ? 0 : difference_of(strands, best, now).value,
          difference_of(strands, 1, 0).terms};
}

}  // namespace crema
