// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "raters/run/run.h"

namespace crema::raters {

/// Warnings of several structures as those of a case: each says which structures it is about, and what is
/// said of several of them is said once. Those of a mask stay as they are.
Warnings about_structures(const Case& counted, const std::vector<Warnings>& found);

}  // namespace crema::raters
