// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "annotations/shapes/shape.h"
#include "crema/base/error.h"
#include "crema/base/json_parse.h"

/// Values of annotation files, each checked where it is taken. Sentences have no place in front: at() adds
/// it.
namespace crema::annotations {

inline constexpr std::int64_t kMaxSide = 1'000'000;
inline constexpr double kMaxCoordinate = 1e7;

/// What parsing a text takes at most, in bytes.
std::int64_t json_bytes(std::string_view text);

/// A whole number in a range; 3.0 is one, too.
std::int64_t whole(const Json& json, std::string_view name, std::int64_t low, std::int64_t high);
std::int64_t id_of(const Json& json, std::string_view name);
/// Refuses an id that is among those seen before.
void check_id(std::int64_t id, std::unordered_set<std::int64_t>& seen);
/// A coordinate, in whatever unit.
double coordinate(const Json& value);
/// Refuses what is not the text, the list or the object that it should be.
std::string_view text(const Json& json, std::string_view name);
const Json::Array& list(const Json& json, std::string_view name);
bool is_object(const Json& json);
bool is_true(const Json& json, std::string_view name);
/// Width and height of a picture, under these names.
Extent extent(const Json& json, std::string_view width, std::string_view height);
/// The bytes or lengths of a list, each from 0 to `high`.
template <class Whole>
std::vector<Whole> wholes(const Json::Array& list, std::int64_t high);

/// Runs `work` and puts "annotations[17]: " in front of what it refuses.
template <class F>
void at(std::string_view list, std::size_t index, F work) {
  try {
    work();
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}[{}]: {}", list, index, e.sentence.marked()));
  }
}

std::int64_t whole_value(const Json& value, std::string_view name, std::int64_t low, std::int64_t high);

template <class Whole>
std::vector<Whole> wholes(const Json::Array& list, std::int64_t high) {
  std::vector<Whole> numbers;
  numbers.reserve(list.size());
  for (const Json& one : list) numbers.push_back(static_cast<Whole>(whole_value(one, "a run", 0, high)));
  return numbers;
}

}  // namespace crema::annotations
