// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace crema::cli {

/// The value --slice-wise gets when none is typed.
inline constexpr const char* kAutomaticAxis = "auto";

/// Arguments as the parser must see them, so that any file name survives:
/// --slice-wise takes the next word only if it is exactly x, y or z, and a name in square brackets stays one
/// name.
std::vector<std::string> prepare_arguments(const std::vector<std::string>& typed);

}  // namespace crema::cli
