// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/format.h"

namespace crema::files {

/// NumPy arrays in a zip archive, of which one is taken; masks and maps are read by files/npy_array.h.
bool npz_recognises(const Start& start);
bool npz_claims(const std::filesystem::path& path);
Header npz_read_header(const Source& source, const ReadOptions& options);

}  // namespace crema::files
