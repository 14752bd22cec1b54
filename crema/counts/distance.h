// SPDX-License-Identifier: Apache-2.0
// A distance in one file: its form with values, derivatives and what a search and a bound need; its name; its
// row.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

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

/// d² = e + s − 2a: the number of voxels in which consensus and rater differ, or the sum of the differences
/// of their levels. The criterion is linear in the levels, so that each block is decided on by itself and a
/// vote is its minimum; no search and no bound is needed, and an empty consensus is one like any other.
struct Hamming {
  /// The squared distance: what the criterion is linear in.
  static double inner(double a, double e, double s) { return std::max(0.0, e + s - 2 * a); }
  template <class Real>
  static Real inner_of_counts(std::int64_t a, std::int64_t e, std::int64_t s) {
    return static_cast<Real>(e + s - 2 * a);
  }

  template <class Real>
  static constexpr Real term(Real weight, Real square) {
    return weight * square;
  }
  static double distance(double square) { return std::sqrt(square); }
  static constexpr double outer(double /*square*/) { return 1; }
  static constexpr Fall fall(double outer, double /*a*/, double /*e*/, double /*s*/) {
    return {2 * outer, outer};
  }
};

/// Settings of Tversky's distance: how much counts what only the consensus has, and what only the rater has.
struct Tversky {
  double alpha = 0.5, beta = 0.5;

  friend constexpr bool operator==(const Tversky&, const Tversky&) = default;
};

/// How a consensus is compared with a rater; see docs/method.md. At levels 0 and 1 soergel and tanimoto equal
/// jaccard, dice1 and dice2 equal dice, hamming1 equals hamming and tversky1 equals tversky.
struct Distance {
  enum class Id : std::uint8_t {
    jaccard,
    dice,
    soergel,
    tanimoto,
    dice1,
    dice2,
    hamming,
    hamming1,
    tversky,
    tversky1
  };

  Id id = Id::jaccard;
  Tversky settings = {};  ///< looked at by those they concern

  [[nodiscard]] constexpr Distance with(const Tversky& other) const { return {id, other}; }
  friend constexpr bool operator==(const Distance&, const Distance&) = default;

  static const Distance jaccard, dice, soergel, tanimoto, dice1, dice2, hamming, hamming1, tversky, tversky1;
};

inline constexpr Distance Distance::jaccard{Id::jaccard}, Distance::dice{Id::dice},
    Distance::soergel{Id::soergel}, Distance::tanimoto{Id::tanimoto}, Distance::dice1{Id::dice1},
    Distance::dice2{Id::dice2}, Distance::hamming{Id::hamming}, Distance::hamming1{Id::hamming1},
    Distance::tversky{Id::tversky}, Distance::tversky1{Id::tversky1};

/// What a distance computes.
using Formula = std::variant<Ratio, Hamming>;

/// One row of the table of distances. Nothing else lists them.
struct DistanceRow {
  Distance distance;
  std::string_view name;
  Formula (*formula)(const Tversky&);
  bool squares;   ///< the extent of a consensus is Σ n x², not Σ n x
  bool hard;      ///< compares masks
  Distance twin;  ///< the hard distance it equals at levels 0 and 1
};

namespace formulas {

constexpr Formula jaccard(const Tversky& /*none*/) { return Ratio{.extent = 1, .size = 1, .factor = 1}; }
constexpr Formula dice(const Tversky& /*none*/) { return Ratio{.extent = 1, .size = 1, .factor = 2}; }
constexpr Formula hamming(const Tversky& /*none*/) { return Hamming{}; }
constexpr Formula tversky(const Tversky& s) { return Ratio{.extent = s.alpha, .size = s.beta, .factor = 1}; }

}  // namespace formulas

inline constexpr std::array kDistances{
    DistanceRow{Distance::jaccard, "jaccard", formulas::jaccard, false, true, Distance::jaccard},
    DistanceRow{Distance::dice, "dice", formulas::dice, false, true, Distance::dice},
    DistanceRow{Distance::soergel, "soergel", formulas::jaccard, false, false, Distance::jaccard},
    DistanceRow{Distance::tanimoto, "tanimoto", formulas::jaccard, true, false, Distance::jaccard},
    DistanceRow{Distance::dice1, "dice1", formulas::dice, false, false, Distance::dice},
    DistanceRow{Distance::dice2, "dice2", formulas::dice, true, false, Distance::dice},
    DistanceRow{Distance::hamming, "hamming", formulas::hamming, false, true, Distance::hamming},
    DistanceRow{Distance::hamming1, "hamming1", formulas::hamming, false, false, Distance::hamming},
    DistanceRow{Distance::tversky, "tversky", formulas::tversky, false, true, Distance::tversky},
    DistanceRow{Distance::tversky1, "tversky1", formulas::tversky, false, false, Distance::tversky},
};

constexpr const DistanceRow& row_of(const Distance& distance) {
  return kDistances[static_cast<std::size_t>(distance.id)];
}
constexpr Formula formula_of(const Distance& distance) { return row_of(distance).formula(distance.settings); }

constexpr std::string_view to_string(const Distance& distance) { return row_of(distance).name; }
/// Whether the distance compares masks, not levels.
constexpr bool is_hard(const Distance& distance) { return row_of(distance).hard; }
/// Whether the extent of a consensus is the sum of the squares of its levels.
constexpr bool squares(const Distance& distance) { return row_of(distance).squares; }
/// Whether the criterion is linear in the levels, so that its minimum is a vote.
constexpr bool is_linear(const Distance& distance) {
  return std::holds_alternative<Hamming>(formula_of(distance));
}
/// Whether its settings concern it.
constexpr bool takes_settings(const Distance& distance) {
  return row_of(distance).formula == formulas::tversky;
}
/// The hard distance that equals it at levels 0 and 1.
constexpr Distance twin_of(const Distance& distance) { return row_of(distance).twin.with(distance.settings); }
/// The soft distance without squares that equals a hard one at levels 0 and 1; soft ones are their own.
constexpr Distance soft_twin_of(const Distance& distance) {
  for (const DistanceRow& row : kDistances)
    if (is_hard(distance) && !row.hard && !row.squares && row.twin.id == distance.id)
      return row.distance.with(distance.settings);
  return distance;
}

}  // namespace crema
