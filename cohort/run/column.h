// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "crema/base/json_parse.h"

namespace crema::cohort {

/// The place of a column in a table of a result, whose first row has the names, and what stands there in
/// another row.
struct JsonColumn {
  JsonColumn(const Json& table, std::string_view name) {
    if (list_in(table).empty()) return;
    const Json::Array& columns = list_in(list_in(table).front());
    while (at < columns.size() && text_in(columns[at]) != name) ++at;
  }
  [[nodiscard]] const Json& of(const Json& row) const {
    static const Json none;
    return at < list_in(row).size() ? list_in(row)[at] : none;
  }
  /// Nothing where it is no number.
  [[nodiscard]] std::optional<double> number(const Json& row) const {
    const Json& json = of(row);
    if (const auto* real = std::get_if<double>(&json.value())) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&json.value())) return static_cast<double>(*whole);
    return {};
  }
  std::size_t at = 0;
};

}  // namespace crema::cohort
