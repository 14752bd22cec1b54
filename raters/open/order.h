// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "crema/base/warning.h"

namespace crema::raters {

/// Whether one name comes before another for people, who read 2 before 10.
bool naturally_before(std::string_view a, std::string_view b);

/// A word where files came in the order of their letters, 1, 10, 2, which is not that of their numbers:
/// raters go by their place in it.
Warnings warnings_about_order(const std::vector<std::filesystem::path>& paths);

}  // namespace crema::raters
