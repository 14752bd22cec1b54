// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/nrrd/header.h"

namespace crema::files {

/// Fills raw, fields, pairs and warnings from the lines of the file; looks at no value.
NrrdHeader read_nrrd_lines(const Source& source);

}  // namespace crema::files
