// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crema::report {

/// Which pages a page may show inside itself: none, or those that lie where it does.
enum class Frames : std::uint8_t { none, beside };

/// What a page may do: nothing is fetched from anywhere, and no script runs but the one with this SHA-256, in
/// hexadecimal digits. `also` is added to what scripts may do, such as " 'wasm-unsafe-eval'".
std::string policy_for(std::string_view script_sha256, std::string_view also = {},
                       Frames frames = Frames::none);

}  // namespace crema::report
