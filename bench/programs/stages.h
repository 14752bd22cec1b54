// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "crema/crema.h"

namespace crema::bench {

/// The way from masks in memory to a consensus in memory, in the order in which fuse() goes it.
inline constexpr std::array<std::string_view, 6> kStages{"votes",  "components", "distances",
                                                         "crowns", "solve",      "paint"};

/// What each stage is held to with the best number of threads, in Mvoxel/s of the whole image, on the full
/// phantoms of five and seven raters.
inline constexpr std::array<double, kStages.size()> kGoals{800, 8000, 1500, 5000, 5000, 5000};

/// Is given each stage's number and its work, and must do the work once.
using StageRunner = std::function<void(std::size_t stage, const std::function<void()>& work)>;

/// Does what fuse() does, one stage after the other, each through the runner.
Consensus run_stages(const Grid& grid, std::span<const Mask> masks, const Options& options,
                     const StageRunner& runner);

struct StagedRun {
  std::array<double, kStages.size()> ms{};
  Consensus consensus;
};

/// The stages with a clock between them.
StagedRun time_stages(const Grid& grid, std::span<const Mask> masks, const Options& options);

/// Milliseconds since some moment.
double now_ms();

/// Milliseconds that the work takes.
double time_ms(const std::function<void()>& work);

/// The middle one of the values, the mean of the middle two for an even number.
double median(std::vector<double> values);

}  // namespace crema::bench
