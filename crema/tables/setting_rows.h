// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "crema/base/text.h"
#include "crema/tables/setting_values.h"
#include "crema/tables/settings.h"

/// What rows of the table of settings share, and the files that hold them.
namespace crema::setting_rows {

/// What methods read and how files become masks; what measures of agreement read.
std::span<const Setting> of_methods();
std::span<const Setting> of_measures();

/// The place of a word is the value of its enumerator.
template <class Enum>
Enum choose(std::string_view text, std::string_view words) {
  return static_cast<Enum>(parse_choice(text, words));
}

template <class Enum>
SettingValue word(Enum value, std::string_view words) {
  return std::string(word_of(value, words));
}

template <class Value>
SettingValue maybe(const std::optional<Value>& value) {
  return value ? SettingValue(*value) : SettingValue();
}

template <class Whole>
SettingValue whole(Whole value) {
  return value == 0 ? SettingValue() : SettingValue(static_cast<std::int64_t>(value));
}

inline int whole_int(std::string_view text, Range range) {
  return static_cast<int>(parse_whole(text, range));
}

}  // namespace crema::setting_rows
