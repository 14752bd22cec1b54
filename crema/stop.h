// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/fuse.h"

namespace crema {

/// Throws Cancelled once Options::stop says so.
void heed_stop(const Options& options);

/// The budget of a proof, which Options::stop ends as well.
Budget stoppable_budget(const Options& options);

}  // namespace crema
