// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crema/weights.h"

namespace crema::cli {

/// Numbers separated by commas, one per rater.
/// Throws UsageError on words, on weights below 0 or not finite, and when all are 0.
std::vector<double> parse_weights(std::string_view text);

/// Throws UsageError unless there are none or as many as raters.
void check_weights(std::span<const double> weights, std::size_t raters);

/// What a search for weights came to, in one line for people.
std::string found_text(const WeightSearch& search);

/// Why the weights found by a search are not to be relied on, or "" when they are.
std::string doubt(const WeightSearch& search, const Solution& solution);

}  // namespace crema::cli
