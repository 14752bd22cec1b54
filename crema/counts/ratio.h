// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crema {

/// How much a term of the criterion falls per voxel of overlap, and rises per voxel of extent.
struct Fall {
  double overlap = 0, extent = 0;
};

/// Distances d = m/(m + f a) with m = A (e − a) + B (s − a): a is the overlap of consensus and rater, e the
/// extent of the consensus, s the size of the rater. With both = A e + B s and C = f − A − B the same is
/// d = 1 − f a/c, c = both + C a. Coefficients of 1, −1 and 2 cost no digit.
struct Ratio {
  double extent = 1, size = 1;  ///< A and B, above 0
  double factor = 1;            ///< f, above 0

  [[nodiscard]] constexpr double bend() const { return factor - (extent + size); }  ///< C
  [[nodiscard]] constexpr double both(double e, double s) const { return extent * e + size * s; }
  [[nodiscard]] constexpr double below(double a, double e, double s) const { return both(e, s) + bend() * a; }

  /// The distance itself; consensus and rater are not both empty.
  [[nodiscard]] constexpr double inner(double a, double e, double s) const {
    return (both(e, s) - (extent + size) * a) / below(a, e, s);
  }
  /// Where all coefficients are whole, nothing is rounded before the division.
  [[nodiscard]] constexpr bool is_whole() const {
    return extent == 1 && size == 1 && (factor == 1 || factor == 2);
  }
  template <class Real>
  [[nodiscard]] Real inner_of_whole(std::int64_t a, std::int64_t e, std::int64_t s) const {
    const std::int64_t both = e + s;
    return static_cast<Real>(both - 2 * a) / static_cast<Real>(factor == 1 ? both - a : both);
  }
  template <class Real>
  [[nodiscard]] Real inner_of_counts(std::int64_t a, std::int64_t e, std::int64_t s) const {
    const Real apart = static_cast<Real>(extent) * static_cast<Real>(e - a) +
                       static_cast<Real>(size) * static_cast<Real>(s - a);
    return apart / (apart + static_cast<Real>(factor) * static_cast<Real>(a));
  }

  /// The criterion adds up w d².
  template <class Real>
  static constexpr Real term(Real weight, Real d) {
    return weight * d * d;
  }
  static constexpr double distance(double d) { return d; }
  /// The derivative of a term by d, which falls along its own slopes: see fall().
  static constexpr double outer(double d) { return 2 * d; }
  [[nodiscard]] constexpr Fall fall(double outer, double a, double e, double s) const {
    const double c = below(a, e, s);
    return {bend() == 0 ? outer * factor / c : outer * factor * both(e, s) / (c * c),
            outer * factor * a / (c * c) * extent};
  }

  /// d² as a function of the share u = a/both, which lies between 0 and 1/(A + B): all that a bound needs.
  class Curve {
   public:
    explicit constexpr Curve(const Ratio& r)
        : factor_(r.factor),
          bend_(r.bend()),
          most_(1 / (r.extent + r.size)),
          is_bent_(2 * bend_ < -factor_),
          slant_(is_bent_ ? factor_ / bend_ : 0) {}

    [[nodiscard]] constexpr double most() const { return most_; }
    /// Concave below this share, convex above.
    [[nodiscard]] constexpr double turn() const {
      return is_bent_ ? (factor_ + 2 * bend_) / (2 * bend_ * (factor_ - bend_)) : 0;
    }
    /// Where the tangent through the curve at a share below the turn touches it.
    [[nodiscard]] constexpr double touch(double from) const {
      return (1 / ((1 - bend_ / factor_) - 0.5 * inverse(from)) - 1) / bend_;
    }
    [[nodiscard]] constexpr double value(double u) const {
      const double d = distance(u, inverse(u));
      return d * d;
    }
    [[nodiscard]] constexpr double slope(double u) const {
      const double v = inverse(u);
      return -2 * factor_ * distance(u, v) * v * v;
    }
    [[nodiscard]] constexpr double curvature(double u) const {
      const double v = inverse(u);
      return 2 * factor_ * v * v * v * v * (2 * bend_ * (bend_ - factor_) * u + (factor_ + 2 * bend_));
    }

   private:
    [[nodiscard]] constexpr double inverse(double u) const { return bend_ == 0 ? 1 : 1 / (1 + bend_ * u); }
    [[nodiscard]] constexpr double distance(double u, double v) const {
      return is_bent_ ? (1 - slant_) + slant_ * v : 1 - factor_ * u * v;
    }

    double factor_, bend_, most_;
    bool is_bent_;  ///< enough to be concave at first
    double slant_;
  };
};

}  // namespace crema
