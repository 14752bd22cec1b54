// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace crema::plot {

/// What a picture can become besides SVG.
enum class Target : std::uint8_t { png, pdf };

/// Throws UsageError, which says what to install, unless pictures can be rendered here.
void require_renderer();

/// The picture as a file of another kind, in its bytes; a PNG has so many dots per inch, 96 units being one.
/// Throws UsageError where it cannot be done here, InputError where the picture is too large for it.
std::string render(const std::string& svg, Target target, double dots_per_inch);

}  // namespace crema::plot
