// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "raters/run/run.h"

namespace crema::figure {

/// Columns and rows of a thumbnail at most.
inline constexpr int kThumbnailSide = 96;

/// The structure that raters dispute most; none where nobody drew anything.
std::optional<std::size_t> most_disputed(const raters::Case& counted);

/// The most disputed slice of a structure that somebody drew, of those that the consensus meets, as a small
/// PNG in grey: the darker, the more raters drew, with the outline of the consensus in black. To be used
/// before the outcome is painted.
std::string make_thumbnail(const raters::Case& counted, const raters::Outcome& outcome, std::size_t s);

}  // namespace crema::figure
