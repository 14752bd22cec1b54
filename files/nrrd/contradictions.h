// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/nrrd/header.h"

namespace crema::files {

/// Throws InputError when two fields say different things about the same: space and space dimension; the
/// directions, and spacings or the ends of axes beside them; the ends of axes and spacings; sizes and number.
void check_contradictions(const NrrdHeader& header, const std::filesystem::path& path);

}  // namespace crema::files
