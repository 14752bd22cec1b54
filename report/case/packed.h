// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace crema::report {

/// Deflated, as gzip has it, and in letters.
std::string packed(std::span<const std::uint8_t> bytes);
std::string packed(std::string_view text);

}  // namespace crema::report
