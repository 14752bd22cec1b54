// SPDX-License-Identifier: Apache-2.0
#include "files/io/system/machine.h"

namespace crema::files {

/// A module may grow to 4 GB, as modules.cmake has it.
std::int64_t machine_memory() { return std::int64_t{4} << 30; }

}  // namespace crema::files
