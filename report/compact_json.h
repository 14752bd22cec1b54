// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/base/json.h"

namespace crema::report {

/// JSON without blanks in which no markup is left, so that it can stand inside a page's script element.
std::string compact(const Json& json);

/// A text as JSON has it, quotes included.
std::string in_quotes(std::string_view text);

}  // namespace crema::report
