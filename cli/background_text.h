// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/background.h"

namespace crema::cli {

/// Size, soft volume and entropy of every method at some of the sizes, and what STAPLE makes of the full
/// image, of the tight box and of its priors.
std::string background_tables(const BackgroundStudy& study);

/// Which methods move between the smallest and the largest image and by how much, and which do not.
std::string background_verdict(const BackgroundStudy& study);

/// By how many percent of the first value the last one is larger; none where the first one is 0.
std::optional<double> percent_of_change(double first, double last);

/// Whether a method's result is another one in some of the images.
bool moves(const ExtentCurve& curve);

/// What did not converge, in sentences.
std::vector<std::string> background_doubts(const BackgroundStudy& study);

}  // namespace crema::cli
