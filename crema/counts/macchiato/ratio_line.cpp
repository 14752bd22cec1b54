// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/ratio_line.h"

#include <cmath>
#include <variant>

#include "crema/counts/processor.h"

namespace crema {
namespace {

double lower(double a, double b) { return a < b ? a : b; }
double higher(double a, double b) { return a > b ? a : b; }

CREMA_FOR_EACH_PROCESSOR void fill(Strands& s, const Line& line, const Ratio& ratio, double linear) {
  const double* const overlap = line.rest.overlap.data();
  const Panel& panel = line.problem->panel;
  const double extent = line.rest.extent;
  for (std::size_t k = 0; k < s.count; ++k) {
    s.a0[k] = overlap[k];
    s.m[k] = line.share[k];
    s.weight[k] = panel.weight[k];
    s.c0[k] = ratio.below(overlap[k], extent, panel.size[k]);
    s.c1[k] = linear + ratio.bend() * line.share[k];
  }
  for (std::size_t k = s.count; k < 4 * s.fours; ++k) {
    s.a0[k] = s.m[k] = s.c1[k] = s.weight[k] = 0;
    s.c0[k] = 1;
  }
}

/// A sum of which the order does not matter, of four numbers at a time.
[[gnu::always_inline]] inline double sum_by_fours(const Strands& s, const PerRater& terms) {
  std::array<double, 4> sums{};
  for (std::size_t k = 0; k < 4 * s.fours; k += 4)
    for (std::size_t l = 0; l < 4; ++l) sums[l] += terms[k + l];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

[[gnu::always_inline]] inline double least_by_fours(const Strands& s, const PerRater& terms) {
  std::array<double, 4> least{};
  for (std::size_t k = 0; k < 4 * s.fours; k += 4)
    for (std::size_t l = 0; l < 4; ++l) least[l] = lower(least[l], terms[k + l]);
  return lower(lower(least[0], least[1]), lower(least[2], least[3]));
}

/// Without squares c is a straight line and w stays as it is: |d'| ≤ f |w|/c² and |d''| = 2 f |w c'|/c³, c at
/// its least, and no distance is above 1.
CREMA_FOR_EACH_PROCESSOR Glance glance_at_line(const Strands& s) {
  PerRater slope, bent, terms;
  for (std::size_t k = 0; k < 4 * s.fours; ++k) {
    const double a = s.a0[k], c = s.c0[k], dc = s.c1[k], weight = s.weight[k];
    const double gained = s.m[k] * c, lost = a * dc, w = gained - lost;
    const double inverse = 1 / c, highest = 1 / lower(c, c + dc), square = highest * highest;
    slope[k] = weight * (s.factor * a * inverse - 1) * w * inverse * inverse;
    bent[k] = weight * square * std::abs(w) * (s.factor * std::abs(w) * square + 2 * std::abs(dc) * highest);
    terms[k] = weight * square * (gained + std::abs(lost));
  }
  const double twice = 2 * s.factor;
  return {.slope = twice * sum_by_fours(s, slope),
          .most_bent = twice * sum_by_fours(s, bent),
          .terms = twice * sum_by_fours(s, terms)};
}

/// The steps of slopes() over a stretch, each with a coarser bound: where neither d nor d'' can be negative
/// there, the second derivative is at least the sum of their least products.
CREMA_FOR_EACH_PROCESSOR Glance glance_at_parabola(const Strands& s) {
  constexpr double kMargin = 1e-9;  // of rounding
  PerRater bent, terms, least;
  const double f = (1 + kMargin) * s.factor, c2 = (1 - kMargin) * s.c2;
  for (std::size_t k = 0; k < 4 * s.fours; ++k) {
    const double a = s.a0[k], m = s.m[k], aside = std::abs(s.c1[k]), weight = s.weight[k];
    const double low = s.c0[k] - aside, high = s.c0[k] + aside + s.c2, steep = aside + 2 * s.c2;
    const double w = m * high + (a + m) * steep;
    const double d = low - f * (a + m), d2 = c2 * a * low - w * steep;
    const double inverse = 1 / (low * high), highest = high * inverse;
    least[k] = lower(lower(d, d2), low);
    bent[k] = weight * d * d2 * inverse * inverse;
    terms[k] = weight * highest * highest * (w + s.c2 * (2 * a + m));
  }
  return {.bent = 3.9 * s.factor * sum_by_fours(s, bent),
          .terms = 2 * s.factor * sum_by_fours(s, terms),
          .convex = least_by_fours(s, least) >= 0};
}

}  // namespace

// What lies behind the last four is never read; clearing it would cost more than the rest.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
Strands::Strands(const Line& line) : count(line.problem->panel.count()), fours((count + 3) / 4) {
  const Distance& distance = line.problem->distance;
  const Ratio ratio = std::get<Ratio>(formula_of(distance));
  const double most = ratio.extent * line.voxels;
  factor = ratio.factor;
  c2 = squares(distance) ? most : 0;
  fill(*this, line, ratio, squares(distance) ? 0 : most);
}

Glance glance_at(const Strands& strands) {
  return strands.c2 > 0 ? glance_at_parabola(strands) : glance_at_line(strands);
}

/// With w = a'c − ac', which changes only through c'' (w' = −a c''): d' = −f w/c², d'' = f (a c''/c² + 2 w
/// c'/c³).
CREMA_FOR_EACH_PROCESSOR Derivatives<double> slopes(const Strands& s, double y) {
  PerRater first, second;
  for (std::size_t k = 0; k < 4 * s.fours; ++k) {
    const double a = s.a0[k] + s.m[k] * y, c = s.c0[k] + y * (s.c1[k] + y * s.c2),
                 dc = s.c1[k] + 2 * s.c2 * y;
    const double w = s.m[k] * c - a * dc, inverse = 1 / c, square = inverse * inverse;
    const double d = 1 - s.factor * a * inverse;
    const double d1 = -s.factor * w * square;
    const double d2 = s.factor * square * (2 * s.c2 * a + 2 * w * dc * inverse);
    first[k] = 2 * s.weight[k] * d * d1;
    second[k] = 2 * s.weight[k] * (d1 * d1 + d * d2);
  }
  Derivatives<double> sum;
  for (std::size_t k = 0; k < s.count; ++k) {
    sum.first += first[k];
    sum.second += second[k];
  }
  return sum;
}

/// Bounds of the derivatives over a stretch, written so that several raters are worked on at once: nothing
/// branches. Known are the signs of all but w, c' and what is made of them.
CREMA_FOR_EACH_PROCESSOR Derivatives<Interval> slopes(const Strands& s, Interval y) {
  PerRater first_low, first_high, second_low, second_high;
  const double c2 = s.c2, f = s.factor, vertex_of = c2 > 0 ? -0.5 / c2 : 0;
  for (std::size_t k = 0; k < 4 * s.fours; ++k) {
    const double a0 = s.a0[k], m = s.m[k], c0 = s.c0[k], c1 = s.c1[k], weight = 2 * s.weight[k];
    const auto at_c = [&](double v) { return c0 + v * (c1 + v * c2); };
    const double a_low = a0 + m * y.low, a_high = a0 + m * y.high;
    const double c_first = at_c(y.low), c_last = at_c(y.high);
    const double dc_low = c1 + 2 * c2 * y.low, dc_high = c1 + 2 * c2 * y.high;
    // w falls, as w' = −a c'' ≤ 0; a/c grows where it is positive.
    const double w_low = m * c_last - a_high * dc_high, w_high = m * c_first - a_low * dc_low;
    // c is a parabola that opens upwards, or a line.
    const double c_least = at_c(higher(y.low, lower(y.high, c1 * vertex_of)));
    const double inverse_first = 1 / c_first, inverse_last = 1 / c_last;
    const double inverse_low = lower(inverse_first, inverse_last);
    const double inverse_high = higher(1 / c_least, higher(inverse_first, inverse_last));
    const double square_low = inverse_low * inverse_low, square_high = inverse_high * inverse_high;
    const double first = a_low * inverse_first, last = a_high * inverse_last;
    const double ends_low = lower(first, last), ends_high = higher(first, last);
    // Where a/c turns, both are taken at their largest.
    const double turned = a_high * inverse_high, rising = w_low >= 0 ? ends_high : turned;
    const double d_low = 1 - f * (w_high <= 0 ? ends_high : rising), d_high = 1 - f * ends_low;
    const double d1_low = -f * higher(w_high * square_low, w_high * square_high);
    const double d1_high = -f * lower(w_low * square_low, w_low * square_high);
    const auto product_low = [](double al, double ah, double bl, double bh) {
      return lower(lower(al * bl, al * bh), lower(ah * bl, ah * bh));
    };
    const auto product_high = [](double al, double ah, double bl, double bh) {
      return higher(higher(al * bl, al * bh), higher(ah * bl, ah * bh));
    };
    const double t_low = product_low(w_low, w_high, dc_low, dc_high);
    const double t_high = product_high(w_low, w_high, dc_low, dc_high);
    const double u_low = 2 * c2 * a_low + 2 * lower(t_low * inverse_low, t_low * inverse_high);
    const double u_high = 2 * c2 * a_high + 2 * higher(t_high * inverse_low, t_high * inverse_high);
    const double d2_low = f * lower(u_low * square_low, u_low * square_high);
    const double d2_high = f * higher(u_high * square_low, u_high * square_high);
    const double low_squared = d1_low * d1_low, high_squared = d1_high * d1_high;
    const double from_low = d1_low <= 0 ? 0 : low_squared,
                 least_square = d1_high >= 0 ? from_low : high_squared;
    first_low[k] = weight * product_low(d_low, d_high, d1_low, d1_high);
    first_high[k] = weight * product_high(d_low, d_high, d1_low, d1_high);
    second_low[k] = weight * (least_square + product_low(d_low, d_high, d2_low, d2_high));
    second_high[k] =
        weight * (higher(low_squared, high_squared) + product_high(d_low, d_high, d2_low, d2_high));
  }
  Derivatives<Interval> sum;
  for (std::size_t k = 0; k < s.count; ++k) {
    sum.first = sum.first + Interval{first_low[k], first_high[k]};
    sum.second = sum.second + Interval{second_low[k], second_high[k]};
  }
  return sum;
}

CREMA_FOR_EACH_PROCESSOR double value_of(const Strands& s, double y) {
  PerRater terms;
  for (std::size_t k = 0; k < 4 * s.fours; ++k) {
    const double d = 1 - s.factor * (s.a0[k] + s.m[k] * y) / (s.c0[k] + y * (s.c1[k] + y * s.c2));
    terms[k] = s.weight[k] * d * d;
  }
  double sum = 0;
  for (std::size_t k = 0; k < s.count; ++k) sum += terms[k];
  return sum;
}

/// With c = c0 + c1 y + c2 y² and a = a0 + m y, a(y) c(z) − a(z) c(y) = (y − z) (m c0 − a0 c1 − a0 c2 (y + z)
/// − m c2 y z): the common factor is taken out before anything is rounded away.
CREMA_FOR_EACH_PROCESSOR Difference difference_of(const Strands& s, double y, double z) {
  PerRater value, terms;
  for (std::size_t k = 0; k < 4 * s.fours; ++k) {
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

}  // namespace crema
