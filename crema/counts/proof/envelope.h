// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace crema {

/// Squared distance to a rater as a function of u = overlap / (extent + size), 0 ≤ u ≤ 1/2.
enum class Curve : unsigned char { jaccard, dice };

inline double squared_distance(Curve curve, double u) {
  const double d = curve == Curve::dice ? 1 - 2 * u : 2 - 1 / (1 - u);
  return d * d;
}

inline double slope(Curve curve, double u) {
  if (curve == Curve::dice) return -4 * (1 - 2 * u);
  const double v = 1 / (1 - u);
  return -2 * (2 - v) * v * v;
}

inline double curvature(Curve curve, double u) {
  if (curve == Curve::dice) return 8;
  const double v = 1 / (1 - u);
  return 2 * v * v * v * v * (4 * u - 1);
}

/// The largest convex function below a curve on [low, high]: a straight line from low to bend, then the
/// curve. The Jaccard curve is concave below u = 1/4; from u = p the line touches it where 1/(1−u) = 2 −
/// p'/2, p' = 1/(1−p).
struct Envelope {
  Curve curve;
  double low, high, bend, line;  ///< line: slope of the straight part

  Envelope(Curve c, double l, double h) : curve(c), low(l), high(h), bend(l), line(slope(c, l)) {
    if (c == Curve::dice || l >= 0.25 || h <= l) return;
    const double touch = 1 - 1 / (2 - 0.5 / (1 - l));
    bend = std::min(h, touch);
    line = touch < h ? slope(c, touch) : (squared_distance(c, h) - squared_distance(c, l)) / (h - l);
  }

  [[nodiscard]] double value(double u) const {
    return u < bend ? squared_distance(curve, low) + line * (u - low) : squared_distance(curve, u);
  }
};

/// Where envelope(u) + price·u + ridge/2·(u − centre)² is least on [low, high], and how fast that moves with
/// the price.
struct Response {
  double u, speed;  ///< speed = du/dprice ≤ 0
};

inline Response respond(const Envelope& e, double price, double ridge, double centre) {
  auto rise = [&](double u) { return slope(e.curve, u) + ridge * (u - centre) + price; };
  if (e.line + ridge * (e.low - centre) + price >= 0) return {e.low, 0};
  if (e.bend > e.low) {
    const double u = ridge > 0 ? centre - (price + e.line) / ridge : e.high;
    if (u < e.bend) return {u, -1 / ridge};
    if (e.bend >= e.high) return {e.high, 0};
  }
  if (rise(e.high) <= 0) return {e.high, 0};
  double low = e.bend, high = e.high, u = std::clamp(centre, low, high);
  for (int i = 0; i < 60; ++i) {
    const double r = rise(u);
    if (r > 0)
      high = u;
    else
      low = u;
    double next = u - r / (curvature(e.curve, u) + ridge);
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::abs(next - u) < 1e-16) break;
    u = next;
  }
  return {u, -1 / (curvature(e.curve, u) + ridge)};
}

/// A number not above the least of squared_distance(u) + price·u over [low, high], up to rounding.
inline double least(const Envelope& e, double price) {
  double best = std::min(squared_distance(e.curve, e.low) + price * e.low,
                         squared_distance(e.curve, e.high) + price * e.high);
  if (e.bend < e.high || e.bend == e.low) {
    const double u = respond(e, price, 0, 0.5 * (e.bend + e.high)).u;
    best = std::min(best, squared_distance(e.curve, u) + price * u);
  }
  return best;
}

}  // namespace crema
