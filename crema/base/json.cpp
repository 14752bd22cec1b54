// SPDX-License-Identifier: Apache-2.0
#include "crema/base/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "crema/base/json_parse.h"
#include "crema/base/utf8.h"

namespace crema {
namespace {

void write_character(std::string_view character, std::string& out) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  const std::size_t known = kEscaped.find(character[0]);
  if (character.size() == 1 && known != std::string_view::npos) {
    out += '\\';
    out += kLetters[known];
  } else if (static_cast<unsigned char>(character[0]) < 0x20) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(character[0]));
  } else {
    out += character;
  }
}

/// Writes a value as text.
class Writer {
 public:
  std::string out;
  bool in_one_line = false;

  explicit Writer(std::size_t indent = 0) : indent_(indent) {}

  void operator()(std::nullptr_t) { out += "null"; }
  void operator()(bool truth) { out += truth ? "true" : "false"; }
  void operator()(std::int64_t number) { append(number); }
  void operator()(std::uint64_t number) { append(number); }

  void operator()(double number) {
    if (!std::isfinite(number)) return (*this)(nullptr);
    // A number that is whole stays a floating-point one for those who distinguish them.
    if (append(number).find_first_of(".e") == std::string_view::npos) out += ".0";
  }

  void operator()(std::string_view text) {
    out += '"';
    while (!text.empty()) {
      const auto plain =
          static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
      out += text.substr(0, plain);
      text.remove_prefix(plain);
      if (text.empty()) break;
      const std::size_t length = character_length(text);
      if (length == 0)
        out += "\uFFFD";
      else
        write_character(text.substr(0, length), out);
      text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    out += '"';
  }

  void operator()(const Json::Array& list) {
    write_all('[', list, ']', [&](const Json& item) { std::visit(*this, item.value()); });
  }

  void operator()(const Json::Object& members) {
    write_all('{', members, '}', [&](const Json::Member& member) {
      (*this)(std::string_view(member.name));
      out += ": ";
      std::visit(*this, member.value.value());
    });
  }

 private:
  static bool is_plain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

  template <class Number>
  std::string_view append(Number number) {
    std::array<char, 32> text{};  // no number is longer
    const auto end = fmt::format_to(text.data(), "{}", number);
    const std::string_view reported(text.data(), static_cast<std::size_t>(end - text.data()));
    const std::size_t begin = out.size();
    out += reported;
    return std::string_view(out).substr(begin);
  }

  template <class List, class F>
  void write_all(char open, const List& list, char close, F write) {
    out += open;
    indent_ += 2;
    for (const auto& item : list) {
      if (&item != &list.front()) out += ',';
      new_line();
      write(item);
    }
    indent_ -= 2;
    if (!list.empty()) new_line();
    out += close;
  }

  void new_line() {
    if (in_one_line) {
      if (out.back() == ',') out += ' ';
      return;
    }
    out += '\n';
    out.append(indent_, ' ');
  }

  std::size_t indent_;
};

}  // namespace

Json Json::object() {
  Json result;
  result.value_ = Object();
  return result;
}

Json& Json::operator[](std::string_view name) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Object();
  auto& members = std::get<Object>(value_);
  const auto at =
      std::find_if(members.begin(), members.end(), [&](const Member& one) { return one.name == name; });
  if (at != members.end()) return at->value;
  members.push_back({std::string(name), {}});
  return members.back().value;
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Array();
  std::get<Array>(value_).push_back(std::move(item));
}

Json::Value Json::value_of(std::initializer_list<Item> items) {
  const auto named = [](const Item& item) {
    const auto* const pair = std::get_if<Array>(&item.value.value_);
    return pair != nullptr && pair->size() == 2 && std::holds_alternative<std::string>(pair->front().value_);
  };
  if (!std::all_of(items.begin(), items.end(), named)) {
    Array list;
    list.reserve(items.size());
    for (const Item& item : items) list.push_back(std::move(item.value));
    return list;
  }
  Object members;
  members.reserve(items.size());
  for (const Item& item : items) {
    auto& pair = std::get<Array>(item.value.value_);
    members.push_back({std::move(std::get<std::string>(pair[0].value_)), std::move(pair[1])});
  }
  return members;
}

std::string Json::text(std::size_t indent) const {
  Writer writer(indent);
  std::visit(writer, value_);
  return std::move(writer.out);
}

std::string line_of(const Json& json) {
  Writer writer;
  writer.in_one_line = true;
  std::visit(writer, json.value());
  return std::move(writer.out);
}

}  // namespace crema
