// SPDX-License-Identifier: Apache-2.0
#include "crema/base/json_parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/utf8.h"

namespace crema {
namespace {

constexpr int kDeepest = 100;
constexpr std::size_t kMaxMembers = 2000;

/// Reads one value after the other from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Json whole() {
    Json result = value(0);
    skip();
    if (at_ != text_.size()) refuse("more follows");
    return result;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw InputError(fmt::format("is not JSON: {} at byte {}.", what, at_));
  }

  void skip() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    skip();
    if (next() != c) return false;
    ++at_;
    return true;
  }

  void want(char c) {
    if (!take(c)) refuse(fmt::format("'{}' expected", c));
  }

  Json value(int depth) {
    if (depth > kDeepest) refuse("nested too deeply");
    skip();
    switch (next()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", nullptr);
      default:
        return number();
    }
  }

  template <class T>
  Json word(std::string_view spelled, T meaning) {
    if (text_.substr(at_, spelled.size()) != spelled) refuse("unknown word");
    at_ += spelled.size();
    return meaning;
  }

  Json object(int depth) {
    want('{');
    Json result = Json::object();
    if (take('}')) return result;
    std::size_t members = 0;
    do {
      skip();
      const std::string name = string();
      want(':');
      // Members are looked for one by one.
      if (++members > kMaxMembers) refuse("too many members in an object");
      Json& own = result[name];
      if (std::get<Json::Object>(result.value()).size() != members) refuse("duplicate name");
      own = value(depth + 1);
    } while (take(','));
    want('}');
    return result;
  }

  Json array(int depth) {
    want('[');
    Json::Array list;
    if (take(']')) return list;
    do list.push_back(value(depth + 1));
    while (take(','));
    want(']');
    return list;
  }

  Json number() {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string_view spelled = text_.substr(at_, end - at_);
    const char* const first = spelled.data();
    const char* const last = first + spelled.size();
    std::int64_t whole = 0;
    auto read = std::from_chars(first, last, whole);
    if (read.ec == std::errc() && read.ptr == last) {
      at_ = end;
      return whole;
    }
    double real = 0;
    read = std::from_chars(first, last, real);
    if (read.ec != std::errc() || read.ptr != last || !std::isfinite(real)) refuse("value expected");
    at_ = end;
    return real;
  }

  std::string string() {
    want('"');
    std::string result;
    while (next() != '"') {
      if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20) refuse("unterminated string");
      if (text_[at_] != '\\') {
        result += text_[at_++];
        continue;
      }
      ++at_;
      escaped(result);
    }
    ++at_;
    return result;
  }

  void escaped(std::string& result) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char c = next();
    ++at_;
    if (c == 'u') return code(result);
    const std::size_t known = letters.find(c);
    if (known == std::string_view::npos) refuse("unknown escape");
    result += meanings[known];
  }

  unsigned hex() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || read.ptr != digits.data() + 4) refuse("incomplete escape");
    at_ += 4;
    return code;
  }

  void code(std::string& result) {
    unsigned point = hex();
    if (point >= 0xD800 && point < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const unsigned low = hex();
      if (low < 0xDC00 || low > 0xDFFF) refuse("unpaired surrogate");
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    } else if (point >= 0xD800 && point < 0xE000) {
      refuse("unpaired surrogate");
    }
    append_utf8(result, point);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_json(std::string_view text) { return Reader(text).whole(); }

const Json& member(const Json& json, std::string_view name) {
  static const Json none;
  if (const auto* members = std::get_if<Json::Object>(&json.value()))
    for (const Json::Member& one : *members)
      if (one.name == name) return one.value;
  return none;
}

std::string_view text_in(const Json& json) {
  const auto* const text = std::get_if<std::string>(&json.value());
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

std::int64_t whole_in(const Json& json) {
  const auto* const number = std::get_if<std::int64_t>(&json.value());
  return number != nullptr ? *number : 0;
}

const Json::Array& list_in(const Json& json) {
  static const Json::Array none;
  const auto* const list = std::get_if<Json::Array>(&json.value());
  return list != nullptr ? *list : none;
}

}  // namespace crema
