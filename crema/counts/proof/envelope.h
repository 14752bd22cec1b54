// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "crema/counts/distance.h"

namespace crema {

using Curve = Ratio::Curve;

/// The largest convex function below a curve on [low, high]: a straight line from low to bend, then the
/// curve, which is concave up to its turn at most.
struct Envelope {
  Curve curve;
  double low, high, bend, line;  ///< line: slope of the straight part

  Envelope(Curve c, double l, double h) : curve(c), low(l), high(h), bend(l), line(c.slope(l)) {
    if (l >= c.turn() || h <= l) return;
    const double touch = c.touch(l);
    bend = std::min(h, touch);
    line = touch < h ? c.slope(touch) : (c.value(h) - c.value(l)) / (h - l);
  }

  [[nodiscard]] double value(double u) const {
    return u < bend ? curve.value(low) + line * (u - low) : curve.value(u);
  }
};

/// Where envelope(u) + price·u + ridge/2·(u − centre)² is least on [low, high], and how fast that moves with
/// the price.
struct Response {
  double u, speed;  ///< speed = du/dprice ≤ 0
};

inline Response respond(const Envelope& e, double price, double ridge, double centre) {
  auto rise = [&](double u) { return e.curve.slope(u) + ridge * (u - centre) + price; };
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
    double next = u - r / (e.curve.curvature(u) + ridge);
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::abs(next - u) < 1e-16) break;
    u = next;
  }
  return {u, -1 / (e.curve.curvature(u) + ridge)};
}

/// A number not above the least of the curve + price·u over [low, high], up to rounding.
inline double least(const Envelope& e, double price) {
  double best = std::min(e.curve.value(e.low) + price * e.low, e.curve.value(e.high) + price * e.high);
  if (e.bend < e.high || e.bend == e.low) {
    const double u = respond(e, price, 0, 0.5 * (e.bend + e.high)).u;
    best = std::min(best, e.curve.value(u) + price * u);
  }
  return best;
}

}  // namespace crema
