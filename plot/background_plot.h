// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/background.h"

namespace crema::plot {

/// One picture: size and entropy of every method against the size of the image. `case_name` says whose masks
/// they are, in one line.
std::string background_picture(const BackgroundStudy& study, const std::string& case_name);

}  // namespace crema::plot
