// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "crema/crema.h"

namespace crema::bench {

/// The way from masks in memory to a consensus in memory, in the order in which fuse() goes it.
inline constexpr std::array<std::string_view, 6> kStages{"votes",  "components", "distances",
                                                         "crowns", "solve",      "paint"};

struct StagedRun {
  std::array<double, kStages.size()> ms{};
  Consensus consensus;
};

/// Does what fuse() does, one stage after the other, with a clock between them.
StagedRun run_stages(const Grid& grid, std::span<const Mask> masks, const Options& options);

/// Milliseconds since some moment.
double now_ms();

/// The middle one of the values, the mean of the middle two for an even number.
double median(std::vector<double> values);

}  // namespace crema::bench
