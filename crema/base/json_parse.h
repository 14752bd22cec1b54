// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crema/base/json.h"

/// Reading records back.
namespace crema {

/// The value that a text holds. Throws InputError that says where it ceases to be JSON.
Json parse_json(std::string_view text);

/// The value on one line.
std::string line_of(const Json& json);

/// The member of that name of an object; null where there is none.
const Json& member(const Json& json, std::string_view name);

/// The text, the whole number or the list that it is; empty or 0 where it is something else.
std::string_view text_in(const Json& json);
std::int64_t whole_in(const Json& json);
const Json::Array& list_in(const Json& json);

}  // namespace crema
