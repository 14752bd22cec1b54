// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "crema/counts/hamming.h"
#include "crema/counts/ratio.h"

namespace crema {

/// What Tversky's distance is told: how much counts what only the consensus has, and what only the rater has.
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

/// What a distance computes: a file of its own for each form, with its values, its derivatives and what a
/// search and a bound need.
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

}  // namespace crema
