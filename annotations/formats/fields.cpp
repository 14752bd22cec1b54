// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/fields.h"

#include <algorithm>
#include <cmath>

namespace crema::annotations {
namespace {

[[noreturn]] void refuse_field(const Json& value, std::string_view name, std::string_view wanted) {
  if (std::holds_alternative<std::nullptr_t>(value.value()))
    throw InputError(fmt::format("{} is missing; {} is expected.", name, wanted));
  std::string shown = line_of(value);
  constexpr std::size_t kShown = 40;
  if (shown.size() > kShown) shown = "something else";
  throw InputError(fmt::format("{} is {}, but {} is expected.", name, shown, wanted));
}

}  // namespace

std::int64_t json_bytes(std::string_view text) {
  const auto starts =
      std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
  // A list that grows is held twice for a moment, with room to spare.
  return 3 * (1 + std::int64_t{starts}) * std::int64_t{sizeof(Json::Member)} + 2 * std::int64_t(text.size());
}

std::int64_t whole_value(const Json& value, std::string_view name, std::int64_t low, std::int64_t high) {
  constexpr double kExact = 9007199254740992.0;
  const auto* const exact = std::get_if<std::int64_t>(&value.value());
  const auto* const real = std::get_if<double>(&value.value());
  const bool whole = real != nullptr && std::abs(*real) < kExact && std::trunc(*real) == *real;
  if (exact == nullptr && !whole) refuse_field(value, name, "a whole number");
  const std::int64_t number = exact != nullptr ? *exact : static_cast<std::int64_t>(*real);
  if (number < low || number > high)
    throw InputError(fmt::format("{} is {}, but has to lie between {} and {}.", name, number, low, high));
  return number;
}

std::int64_t whole(const Json& json, std::string_view name, std::int64_t low, std::int64_t high) {
  return whole_value(member(json, name), name, low, high);
}

std::int64_t id_of(const Json& json, std::string_view name) {
  constexpr std::int64_t kMaxId = std::int64_t{1} << 53;
  return whole(json, name, -kMaxId, kMaxId);
}

void check_id(std::int64_t id, std::unordered_set<std::int64_t>& seen) {
  if (!seen.insert(id).second)
    throw InputError(fmt::format("the id {} was used before; ids have to differ.", id));
}

double coordinate(const Json& value) {
  double number = NAN;
  if (const auto* const exact = std::get_if<std::int64_t>(&value.value()))
    number = static_cast<double>(*exact);
  else if (const auto* const real = std::get_if<double>(&value.value()))
    number = *real;
  else
    refuse_field(value, "a coordinate", "a number");
  if (!(std::abs(number) <= kMaxCoordinate))
    throw InputError(fmt::format("a coordinate is {}, but has to lie between {} and {}.", number,
                                 -kMaxCoordinate, kMaxCoordinate));
  return number;
}

std::string_view text(const Json& json, std::string_view name) {
  const Json& value = member(json, name);
  const auto* const found = std::get_if<std::string>(&value.value());
  if (found == nullptr || found->empty()) refuse_field(value, name, "a text");
  return *found;
}

const Json::Array& list(const Json& json, std::string_view name) {
  const Json& value = member(json, name);
  const auto* const found = std::get_if<Json::Array>(&value.value());
  if (found == nullptr) refuse_field(value, name, "a list");
  return *found;
}

bool is_object(const Json& json) { return std::holds_alternative<Json::Object>(json.value()); }

bool is_true(const Json& json, std::string_view name) {
  const auto* const found = std::get_if<bool>(&member(json, name).value());
  return found != nullptr && *found;
}

Extent extent(const Json& json, std::string_view width, std::string_view height) {
  return {static_cast<std::int32_t>(whole(json, width, 1, kMaxSide)),
          static_cast<std::int32_t>(whole(json, height, 1, kMaxSide))};
}

}  // namespace crema::annotations
