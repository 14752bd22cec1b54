// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "crema/agreement/review/review.h"

namespace crema {

/// The kind of disagreement in words: "2 of 7 saw it; left out" or "border up to 2.0 mm apart".
std::string review_words(const ReviewItem& item, const Grid& grid, std::span<const std::string> raters);

}  // namespace crema
