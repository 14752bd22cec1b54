// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/background.h"

namespace crema::cli {

/// Size, soft volume and entropy of every method at some of the sizes, and what STAPLE makes of the full
/// image, of the tight box and of its priors.
std::string background_tables(const BackgroundStudy& study, std::size_t width);

/// Which methods move between the smallest and the largest image and by how much, and which do not.
std::string background_findings(const BackgroundStudy& study, std::size_t width);

}  // namespace crema::cli
