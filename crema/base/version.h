// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace crema {

/// "0.2.0"
std::string_view version();

}  // namespace crema
