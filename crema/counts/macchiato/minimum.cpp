// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/minimum.h"

#include <array>
#include <cmath>

#include "crema/counts/proof/interval.h"

namespace crema {
namespace {

/// Stretches shorter than this are settled at their ends.
constexpr double kShortest = 1e-8;

/// One number per rater of a panel.
using PerRater = std::array<double, std::size_t{kMaxRaters}>;

/// Gains below the rounding error of a criterion are not searched for.
constexpr double kNoGain = 1e-15;

/// All raters' distances along the line, a list for each of their numbers so that several are worked on at
/// once: d = 1 − f a/c with a = a0 + m y and c as below. Sums go over the raters one after the other,
/// whatever the processor.
struct Strands {
  std::size_t count;
  double factor;  ///< 1 for the Jaccard family, 2 for the Dice family
  double c2;      ///< c = c0 + c1 y + c2 y²
  PerRater a0, m, c0, c1, weight;

  // What lies behind the last rater is never read; clearing it would cost more than the rest.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
  explicit Strands(const Line& line) : count(line.problem->panel.count()) {
    const Problem& p = *line.problem;
    factor = dice_like(p.distance) ? 2 : 1;
    c2 = squares(p.distance) ? line.voxels : 0;
    for (std::size_t k = 0; k < count; ++k) {
      a0[k] = line.rest.overlap[k];
      m[k] = line.share[k];
      weight[k] = p.panel.weight[k];
      c0[k] = line.rest.extent + p.panel.size[k];
      c1[k] = squares(p.distance) ? 0 : line.voxels;
      if (factor == 1) {
        c0[k] -= a0[k];
        c1[k] -= m[k];
      }
    }
  }
};

/// First and second derivative of the criterion.
template <class Number>
struct Slopes {
  Number first{}, second{};
};

/// With w = a'c − ac', which changes only through c'' (w' = −a c''): d' = −f w/c², d'' = f (a c''/c² + 2 w
/// c'/c³).
Slopes<double> slopes(const Strands& s, double y) {
  PerRater first, second;
  for (std::size_t k = 0; k < s.count; ++k) {
    const double a = s.a0[k] + s.m[k] * y, c = s.c0[k] + y * (s.c1[k] + y * s.c2),
                 dc = s.c1[k] + 2 * s.c2 * y;
    const double w = s.m[k] * c - a * dc, inverse = 1 / c, square = inverse * inverse;
    const double d = 1 - s.factor * a * inverse;
    const double d1 = -s.factor * w * square;
    const double d2 = s.factor * square * (2 * s.c2 * a + 2 * w * dc * inverse);
    first[k] = 2 * s.weight[k] * d * d1;
    second[k] = 2 * s.weight[k] * (d1 * d1 + d * d2);
  }
  Slopes<double> sum;
  for (std::size_t k = 0; k < s.count; ++k) {
    sum.first += first[k];
    sum.second += second[k];
  }
  return sum;
}

/// c over a stretch: a parabola opening upwards, or a line.
Interval range_of_c(const Strands& s, std::size_t k, Interval y) {
  auto at = [&](double v) { return s.c0[k] + v * (s.c1[k] + v * s.c2); };
  Interval c{std::min(at(y.low), at(y.high)), std::max(at(y.low), at(y.high))};
  if (s.c2 > 0) {
    const double vertex = -s.c1[k] / (2 * s.c2);
    if (vertex > y.low && vertex < y.high) c.low = at(vertex);
  }
  return c;
}

/// Bounds of the derivatives over a stretch.
Slopes<Interval> slopes(const Strands& s, Interval y) {
  Slopes<Interval> sum;
  const double c2 = s.c2;
  for (std::size_t k = 0; k < s.count; ++k) {
    const double a0 = s.a0[k], m = s.m[k], c0 = s.c0[k], c1 = s.c1[k];
    auto at_w = [&](double v) { return m * (c0 + v * (c1 + v * c2)) - (a0 + m * v) * (c1 + 2 * c2 * v); };
    const Interval a{a0 + m * y.low, a0 + m * y.high};
    const Interval c = range_of_c(s, k, y);
    const Interval dc{c1 + 2 * c2 * y.low, c1 + 2 * c2 * y.high};
    const Interval w{at_w(y.high), at_w(y.low)};  // w falls, as w' = −a c'' ≤ 0
    const Interval inverse{1 / c.high, 1 / c.low},
        square{inverse.low * inverse.low, inverse.high * inverse.high};
    const Interval d = Interval{1, 1} - s.factor * (a * inverse);
    const Interval d1 = -s.factor * (w * square);
    const Interval d2 = s.factor * (square * ((2 * c2) * a + 2 * (w * dc * inverse)));
    sum.first = sum.first + (2 * s.weight[k]) * (d * d1);
    sum.second = sum.second + (2 * s.weight[k]) * (crema::square(d1) + d * d2);
  }
  return sum;
}

double value_of(const Strands& s, double y) {
  PerRater terms;
  for (std::size_t k = 0; k < s.count; ++k) {
    const double d = 1 - s.factor * (s.a0[k] + s.m[k] * y) / (s.c0[k] + y * (s.c1[k] + y * s.c2));
    terms[k] = s.weight[k] * d * d;
  }
  double sum = 0;
  for (std::size_t k = 0; k < s.count; ++k) sum += terms[k];
  return sum;
}

/// With c = c0 + c1 y + c2 y² and a = a0 + m y, a(y) c(z) − a(z) c(y) = (y − z) (m c0 − a0 c1 − a0 c2 (y + z)
/// − m c2 y z): the common factor is taken out before anything is rounded away.
Difference difference_of(const Strands& s, double y, double z) {
  PerRater value, terms;
  for (std::size_t k = 0; k < s.count; ++k) {
    const double cy = s.c0[k] + y * (s.c1[k] + y * s.c2), cz = s.c0[k] + z * (s.c1[k] + z * s.c2);
    const double both = 2 - s.factor * ((s.a0[k] + s.m[k] * y) / cy + (s.a0[k] + s.m[k] * z) / cz);
    const double gained = s.m[k] * s.c0[k], lost = s.a0[k] * s.c1[k];  // lost is negative for Tanimoto
    const double bent = s.c2 * (s.a0[k] * (y + z) + s.m[k] * y * z);
    const double scale = s.weight[k] * s.factor * (z - y) / (cy * cz);
    value[k] = scale * (gained - lost - bent) * both;
    terms[k] = 2 * std::abs(scale) * (gained + std::abs(lost) + bent);
  }
  Difference sum;
  for (std::size_t k = 0; k < s.count; ++k) {
    sum.value += value[k];
    sum.terms += terms[k];
  }
  return sum;
}

/// The zero of the first derivative on a stretch where the criterion is convex and the zero is inside.
double newton(const Strands& line, Interval y) {
  double at = 0.5 * (y.low + y.high);
  for (int i = 0; i < 100; ++i) {
    const Slopes<double> s = slopes(line, at);
    if (s.first > 0)
      y.high = at;
    else
      y.low = at;
    double next = s.second > 0 ? at - s.first / s.second : y.low;
    if (!(next > y.low && next < y.high)) next = 0.5 * (y.low + y.high);
    if (std::abs(next - at) <= 1e-16 || next == y.low || next == y.high) return next;
    at = next;
  }
  return at;
}

class Search {
 public:
  explicit Search(const Line& line) : line_(line), value_(value_of(line_, 0)) { offer(1); }

  void settle(Interval y) {
    const Slopes<Interval> s = slopes(line_, y);
    if (s.first.low >= 0 || s.first.high <= 0 || s.second.high <= 0 || y.high - y.low < kShortest) {
      offer(y.low);
      offer(y.high);
      return;
    }
    if (s.second.low >= 0) return settle_convex(y);
    const double middle = 0.5 * (y.low + y.high);
    const double here = offer(middle), steepest = std::max(s.first.high, -s.first.low);
    // Newton's method from the middle gives an early good value, against which far stretches fail at once.
    if (y.high - y.low == 1) offer(newton(line_, y));
    if (here - (middle - y.low) * steepest > value_ - kNoGain) return;
    settle({y.low, middle});
    settle({middle, y.high});
  }

  [[nodiscard]] double best() const { return best_; }

 private:
  void settle_convex(Interval y) {
    offer(slopes(line_, y.low).first >= 0    ? y.low
          : slopes(line_, y.high).first <= 0 ? y.high
                                             : newton(line_, y));
  }

  /// The level that was offered first stays on a tie.
  double offer(double y) {
    const double value = value_of(line_, y);
    const Difference change = difference_of(line_, y, best_);
    if (change.value < -kTie * change.terms) {
      value_ = value;
      best_ = y;
    }
    return value;
  }

  Strands line_;
  double best_ = 0, value_;
};

}  // namespace

double value_at(const Line& line, double y) { return value_of(Strands(line), y); }

Difference difference(const Line& line, double y, double z) { return difference_of(Strands(line), y, z); }

double minimise(const Line& line) {
  Search search(line);
  search.settle({0, 1});
  return search.best();
}

}  // namespace crema
