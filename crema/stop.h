// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "crema/fuse.h"

namespace crema {

/// Throws Cancelled once somebody says stop; nobody may.
void throw_if_stopped(const std::function<bool()>& stop);
inline void throw_if_stopped(const Options& options) { throw_if_stopped(options.stop); }

/// The options that concern a solver of one component; Options::stop ends its budget as well.
SolveOptions solve_options(const Options& options);

}  // namespace crema
