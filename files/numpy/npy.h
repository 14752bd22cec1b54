// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"

namespace crema::files {

/// One NumPy array in a file of its own; masks and maps are read by files/npy_array.h.
bool npy_recognises(const Start& start);
Header npy_read_header(const Source& source, const ReadOptions& options);

}  // namespace crema::files
