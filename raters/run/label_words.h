// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "crema/agreement/review/review.h"
#include "raters/run/run.h"

namespace crema::raters {

/// Fills in which label each rater gave most of what is to be decided; for label maps whose labels do not lie
/// inside each other.
void name_labels(const Case& counted, std::size_t s, std::span<ReviewItem> items);

}  // namespace crema::raters
