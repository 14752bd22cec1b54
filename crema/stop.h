// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "crema/fuse.h"

namespace crema {

/// Throws Cancelled once somebody says stop; nobody may.
void heed_stop(const std::function<bool()>& stop);
inline void heed_stop(const Options& options) { heed_stop(options.stop); }

/// The budget of a proof, which Options::stop ends as well.
Budget stoppable_budget(const Options& options);

}  // namespace crema
