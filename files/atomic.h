// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "files/format.h"

namespace crema::files {

/// Writes all files under temporary names beside their own, then gives them their names, in order. On any
/// error none of the temporaries stays, nor a file that got its name here unless it replaced another. Throws
/// UsageError when a name is taken and may not be overwritten, FileError when the disk refuses.
void write_atomically(std::span<const Output> outputs, const WriteOptions& options);

}  // namespace crema::files
