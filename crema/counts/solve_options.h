// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "crema/counts/distance.h"

namespace crema {

/// Which voxels share one decision.
enum class Blocks : std::uint8_t { subcrown, crown, voxel, group };
inline constexpr std::string_view kBlocksWords = "subcrown|crown|voxel|group";

/// What decides an exact tie: the voxel, or the component, is left out or taken in.
enum class Tie : std::uint8_t { background, foreground };
inline constexpr std::string_view kTieWords = "background|foreground";

/// Whether a consensus gives way to the empty one where that is better.
enum class EmptyTest : std::uint8_t { apply, skip };

/// Once it says true, what is being done ends with what was found so far; none: nobody will.
using Stop = std::function<bool()>;

inline bool stopped(const Stop& stop) { return stop && stop(); }

/// How much may be spent on one component: on finding a consensus to start from and on proving how good it
/// is. Only `seconds` makes the outcome depend on the machine.
struct Budget {
  int nodes = 0;       ///< 0: kMaxNodes, fewer where many groups and raters make each of them costly
  double seconds = 0;  ///< 0: no limit
  Stop stop = {};      ///< once it says true, nothing is left of the budget
};

/// The same budget with the clock running: its seconds have become part of `stop`.
Budget started(const Budget& budget);

/// The options of a solver.
struct SolveOptions {
  Tie tie = Tie::background;
  Blocks blocks = Blocks::subcrown;
  std::vector<double> weights = {};  ///< one per rater, or none: all count alike
  EmptyTest empty_test = EmptyTest::apply;
  Budget budget = {};    ///< for what needs a proof
  Tversky tversky = {};  ///< for the distances that take it
};

/// How far the criterion of a component could be lowered by any consensus whatever, the empty one included.
struct Certificate {
  double lower_bound = 0;
  bool proven = false;  ///< the bound is within the tolerance of the best consensus that was found
  int nodes = 0;
};

}  // namespace crema
