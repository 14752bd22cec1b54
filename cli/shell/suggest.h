// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace crema::cli {

/// Letters to insert, delete, replace or swap with their neighbour to turn one word into the other.
int edits_between(std::string_view a, std::string_view b);

/// " Did you mean X?" for the candidate nearest to what was typed; empty when none is near.
std::string suggestion(std::string_view typed, std::span<const std::string> candidates);

}  // namespace crema::cli
