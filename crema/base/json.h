// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace crema {

/// A template, so that it is complete as soon as its value is.
template <class Value>
struct JsonMember {
  std::string name;
  Value value;
};

/// A value of JSON. Members keep their order. Taking one apart never allocates, so that running out of
/// it while a record is made is an error like any other; a general library's tree may end the process then.
class Json {
 public:
  struct Item;
  using Member = JsonMember<Json>;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  using Value =
      std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Json() noexcept = default;
  Json(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor): values stand for themselves
  template <class T>
  requires std::is_arithmetic_v<T> Json(T number)
  noexcept : value_(widened(number)) {}                                 // NOLINT(google-explicit-constructor)
  Json(std::string text) noexcept : value_(std::move(text)) {}          // NOLINT(google-explicit-constructor)
  Json(std::string_view text) : value_(std::string(text)) {}            // NOLINT(google-explicit-constructor)
  Json(const char* text) : value_(std::string(text)) {}                 // NOLINT(google-explicit-constructor)
  Json(std::initializer_list<Item> items) : value_(value_of(items)) {}  // pairs with names are members
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<Range, std::string_view> && !std::same_as<std::remove_cvref_t<Range>, Json>)
      Json(const Range& list)
      : value_(Array(list.begin(), list.end())) {}        // NOLINT(google-explicit-constructor)
  Json(Array list) noexcept : value_(std::move(list)) {}  // NOLINT(google-explicit-constructor)

  static Json array() { return Json(Array()); }
  static Json object();

  /// The member of that name, which is made when there is none; what is null becomes an object.
  Json& operator[](std::string_view name);
  /// Appends to an array; what is null becomes one.
  void push_back(Json item);

  [[nodiscard]] const Value& value() const noexcept { return value_; }
  /// Of an array.
  [[nodiscard]] Array& items() { return std::get<Array>(value_); }

  /// With line breaks, each level indented by two blanks. Numbers read back as the same numbers, those that
  /// are not finite are null; bytes that are not UTF-8 are replaced.
  [[nodiscard]] std::string text(std::size_t indent = 0) const;

 private:
  template <class T>
  static Value widened(T number) noexcept {
    if constexpr (std::is_same_v<T, bool>)
      return number;
    else if constexpr (std::is_floating_point_v<T>)
      return static_cast<double>(number);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<std::int64_t>(number);
    else
      return static_cast<std::uint64_t>(number);
  }
  static Value value_of(std::initializer_list<Item> items);

  Value value_ = nullptr;
};

/// What stands between braces; moved, not copied, into the value that is made of it.
struct Json::Item {
  Item(std::initializer_list<Item> items) : value(items) {}
  template <class T>
  requires std::constructible_from<Json, T> Item(T&& given)
      : value(std::forward<T>(given)) {}  // NOLINT(google-explicit-constructor)

  mutable Json value;
};

}  // namespace crema
