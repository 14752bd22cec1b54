// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "annotations/dataset.h"

namespace crema::annotations {

/// What cases are called after their pictures: the file's name without its ending, with its folders where
/// names would be the same, and with the number of the picture where these are. No two are the same.
std::vector<std::string> case_names(const std::vector<Picture>& pictures);

}  // namespace crema::annotations
