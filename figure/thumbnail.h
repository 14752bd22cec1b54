// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "raters/run/run.h"

namespace crema::figure {

/// Columns and rows of a thumbnail at most.
inline constexpr int kThumbnailSide = 96;

/// The most disputed slice of a case, of those that the consensus meets, as a small PNG in grey: the darker,
/// the more raters drew, with the outline of the consensus of the first method in black. Of several
/// structures it is the one that raters dispute most. Empty where nobody drew anything. To be used before
/// outcomes are painted.
std::string make_thumbnail(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes);

}  // namespace crema::figure
