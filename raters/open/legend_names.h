// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace crema::raters {

/// What people call raters that are named by their files: the file's name without the ending of its format,
/// with as many folders before it as it takes to tell all of them apart, and a number where the same file is
/// named twice. No two are the same.
std::vector<std::string> legend_names(std::span<const std::string> names);

}  // namespace crema::raters
