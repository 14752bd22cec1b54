// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crema::cli {

/// A word as it must be typed into bash or zsh; printable ASCII whatever it holds.
std::string shell_quote(std::string_view word);

}  // namespace crema::cli
