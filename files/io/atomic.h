// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "files/format.h"
#include "files/io/system/temporary.h"

namespace crema::files {

/// Writes all files under temporary names beside their own, then gives them their names, in order. On any
/// error all names lead to what they led to before. Throws UsageError when a name is taken and may not be
/// overwritten, FileError when the disk refuses.
void write_atomically(std::span<const Output> outputs, const WriteOptions& options);

/// The first half of it: adds the files, under temporary names, to those written before.
void stage(std::span<const Output> outputs, std::vector<Temporary>& written);

/// The second half: gives all of them their names.
void publish_staged(std::vector<Temporary>& written, const WriteOptions& options);

}  // namespace crema::files
