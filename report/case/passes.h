// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "raters/run/run.h"

namespace crema::report {

/// When the two passes of Alg. 1 took or left each row, as members of a method's JSON: `shrink` and `grow`
/// per row (the step that changed it, minus the step that tried and refused it, 0 where the pass had ended),
/// and `pass` per component (0: the empty set, 1: shrinking, 2: growing gave the answer, 3: neither, since
/// labels were settled). Empty for methods
/// that do not go that way.
std::string passes_json(const Reduction& reduction, const raters::Outcome& outcome);

/// Whether the method shrinks and grows, with these options.
bool goes_in_passes(const raters::Outcome& outcome);

}  // namespace crema::report
