// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/minimum.h"

#include <cmath>

#include "crema/counts/proof/interval.h"

namespace crema {
namespace {

/// Stretches shorter than this are settled at their ends.
constexpr double kShortest = 1e-8;

/// Gains below the rounding error of a criterion are not searched for.
constexpr double kNoGain = 1e-15;

/// One rater's distance along the line: d = 1 − f a/c with a = a0 + m y and c as below.
struct Strand {
  double factor;  ///< 1 for the Jaccard family, 2 for the Dice family
  double a0, m;
  double c0, c1, c2;  ///< c = c0 + c1 y + c2 y²
  double weight;

  Strand(const Line& line, std::size_t k) {
    const Problem& p = *line.problem;
    const double n = line.voxels;
    a0 = line.rest.overlap[k];
    m = line.share[k];
    weight = p.panel.weight[k];
    c0 = line.rest.extent + p.panel.size[k];
    c1 = squares(p.distance) ? 0 : n;
    c2 = squares(p.distance) ? n : 0;
    factor = dice_like(p.distance) ? 2 : 1;
    if (factor == 1) {
      c0 -= a0;
      c1 -= m;
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
Slopes<double> slopes(const Line& line, double y) {
  Slopes<double> sum;
  for (std::size_t k = 0; k < line.problem->panel.count(); ++k) {
    const Strand s(line, k);
    const double a = s.a0 + s.m * y, c = s.c0 + y * (s.c1 + y * s.c2), dc = s.c1 + 2 * s.c2 * y;
    const double w = s.m * c - a * dc, inverse = 1 / c, square = inverse * inverse;
    const double d = 1 - s.factor * a * inverse;
    const double d1 = -s.factor * w * square;
    const double d2 = s.factor * square * (2 * s.c2 * a + 2 * w * dc * inverse);
    sum.first += 2 * s.weight * d * d1;
    sum.second += 2 * s.weight * (d1 * d1 + d * d2);
  }
  return sum;
}

/// c over a stretch: a parabola opening upwards, or a line.
Interval range_of_c(const Strand& s, Interval y) {
  auto at = [&](double v) { return s.c0 + v * (s.c1 + v * s.c2); };
  Interval c{std::min(at(y.low), at(y.high)), std::max(at(y.low), at(y.high))};
  if (s.c2 > 0) {
    const double vertex = -s.c1 / (2 * s.c2);
    if (vertex > y.low && vertex < y.high) c.low = at(vertex);
  }
  return c;
}

/// Bounds of the derivatives over a stretch.
Slopes<Interval> slopes(const Line& line, Interval y) {
  Slopes<Interval> sum;
  auto at_w = [](const Strand& s, double v) {
    return s.m * (s.c0 + v * (s.c1 + v * s.c2)) - (s.a0 + s.m * v) * (s.c1 + 2 * s.c2 * v);
  };
  for (std::size_t k = 0; k < line.problem->panel.count(); ++k) {
    const Strand s(line, k);
    const Interval a{s.a0 + s.m * y.low, s.a0 + s.m * y.high};
    const Interval c = range_of_c(s, y);
    const Interval dc{s.c1 + 2 * s.c2 * y.low, s.c1 + 2 * s.c2 * y.high};
    const Interval w{at_w(s, y.high), at_w(s, y.low)};  // w falls, as w' = −a c'' ≤ 0
    const Interval inverse{1 / c.high, 1 / c.low},
        square{inverse.low * inverse.low, inverse.high * inverse.high};
    const Interval d = Interval{1, 1} - s.factor * (a * inverse);
    const Interval d1 = -s.factor * (w * square);
    const Interval d2 = s.factor * (square * ((2 * s.c2) * a + 2 * (w * dc * inverse)));
    sum.first = sum.first + (2 * s.weight) * (d * d1);
    sum.second = sum.second + (2 * s.weight) * (crema::square(d1) + d * d2);
  }
  return sum;
}

/// The zero of the first derivative on a stretch where the criterion is convex and the zero is inside.
double newton(const Line& line, Interval y) {
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
  explicit Search(const Line& line) : line_(line), value_(value_at(line, 0)) { offer(1); }

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
    const double value = value_at(line_, y);
    const Difference change = difference(line_, y, best_);
    if (change.value < -kTie * change.terms) {
      value_ = value;
      best_ = y;
    }
    return value;
  }

  const Line& line_;
  double best_ = 0, value_;
};

}  // namespace

double value_at(const Line& line, double y) {
  double sum = 0;
  for (std::size_t k = 0; k < line.problem->panel.count(); ++k) {
    const Strand s(line, k);
    const double d = 1 - s.factor * (s.a0 + s.m * y) / (s.c0 + y * (s.c1 + y * s.c2));
    sum += s.weight * d * d;
  }
  return sum;
}

/// With c = c0 + c1 y + c2 y² and a = a0 + m y, a(y) c(z) − a(z) c(y) = (y − z) (m c0 − a0 c1 − a0 c2 (y + z)
/// − m c2 y z): the common factor is taken out before anything is rounded away.
Difference difference(const Line& line, double y, double z) {
  Difference sum;
  for (std::size_t k = 0; k < line.problem->panel.count(); ++k) {
    const Strand s(line, k);
    const double cy = s.c0 + y * (s.c1 + y * s.c2), cz = s.c0 + z * (s.c1 + z * s.c2);
    const double both = 2 - s.factor * ((s.a0 + s.m * y) / cy + (s.a0 + s.m * z) / cz);
    const double gained = s.m * s.c0, lost = s.a0 * s.c1;  // lost is negative for Tanimoto
    const double bent = s.c2 * (s.a0 * (y + z) + s.m * y * z);
    const double scale = s.weight * s.factor * (z - y) / (cy * cz);
    sum.value += scale * (gained - lost - bent) * both;
    sum.terms += 2 * std::abs(scale) * (gained + std::abs(lost) + bent);
  }
  return sum;
}

double minimise(const Line& line) {
  Search search(line);
  search.settle({0, 1});
  return search.best();
}

}  // namespace crema
