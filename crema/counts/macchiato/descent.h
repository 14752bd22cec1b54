// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "crema/counts/problem.h"
#include "crema/counts/solve_options.h"

namespace crema {

/// Levels per block of a local minimum and how it was reached.
struct Descent {
  std::vector<double> levels;
  double criterion = 0;  ///< of these levels, taken as not empty
  int sweeps = 0;
};

/// In which order a sweep visits blocks: as they are numbered, or crown by crown (one block per row) and
/// inside a crown by the criterion each would reach alone, lowest first.
enum class Visits : std::uint8_t { as_numbered, by_crown };

/// A sweep that lowers the criterion by less than this share of itself is the last.
inline constexpr double kMinGain = 1e-12;

/// Sets each block in turn to the level that is best with the others fixed, until a sweep lowers the
/// criterion of the raters present by less than `settled` of itself. `start` has a level per row, which need
/// not be constant on a block: what a block holds at first is what its rows hold.
///
/// Once stopped it ends where it is, not above where it began.
///
/// No step looks at the order in which raters are listed: blocks of a crown that nothing but that order tells
/// apart are set together, to one level.
Descent descend(const Problem& problem, const Tally& tally, const Levels& start,
                Visits visits = Visits::as_numbered, const Stop& stop = {}, double settled = kMinGain);

}  // namespace crema
