// SPDX-License-Identifier: Apache-2.0
#include "report/compact_json.h"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "crema/records/table.h"

namespace crema::report {
namespace {

void write(const Json& json, std::string& text) {
  const auto list = [&](const auto& items, char open, char close, auto item) {
    text += open;
    bool first = true;
    for (const auto& one : items) {
      if (!first) text += ',';
      first = false;
      item(one);
    }
    text += close;
  };
  std::visit(
      [&](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::nullptr_t>)
          text += "null";
        else if constexpr (std::is_same_v<Value, std::string>)
          text += in_quotes(value);
        else if constexpr (std::is_same_v<Value, Json::Array>)
          list(value, '[', ']', [&](const Json& one) { write(one, text); });
        else if constexpr (std::is_same_v<Value, Json::Object>)
          list(value, '{', '}', [&](const Json::Member& one) {
            text += in_quotes(one.name) + ":";
            write(one.value, text);
          });
        else if constexpr (std::is_same_v<Value, double>)
          text += std::isfinite(value) ? fmt::format("{}", value) : "null";
        else
          text += fmt::format("{}", value);
      },
      json.value());
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string safe = "\"";
  for (const char c : valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      safe += std::string("\\") + c;
    else if (byte < 0x20 || c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", byte);
    else
      safe += c;
  }
  return safe + "\"";
}

std::string compact(const Json& json) {
  std::string text;
  write(json, text);
  return text;
}

}  // namespace crema::report
