// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/bytes.h"

#include <cmath>

#include "files/io/sentence.h"
#include "files/io/text_header.h"

namespace crema::files::dicom {

namespace {

[[noreturn]] void refuse_value(const ElementReader& reader, const Element& element, std::string_view text,
                               std::string_view wanted) {
  refuse(reader.path(), "{} is '{}', which is not {}; it is damaged: copy or save it again",
         tag_text(element.tag), printable(text.substr(0, 40)), wanted);
}

std::vector<std::string_view> parts_of_text(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find('\\'); end != std::string_view::npos; end = text.find('\\')) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string_view without_plus(std::string_view text) {
  text = trimmed(text);
  return text.starts_with('+') ? text.substr(1) : text;
}

}  // namespace

std::string text_of(ElementReader& reader, const Element& element) {
  if (element.length < 0 || element.length > ElementReader::kMaxValue)
    refuse(reader.path(),
           "{} is {} bytes long, but at most {} are allowed; it is damaged: copy or save it again",
           tag_text(element.tag), element.length, ElementReader::kMaxValue);
  const auto bytes = reader.bytes(element.offset, element.length);
  std::string text(bytes.begin(), bytes.end());
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

std::vector<double> numbers_of(ElementReader& reader, const Element& element, std::size_t count) {
  const std::string text = text_of(reader, element);
  std::vector<double> numbers;
  for (const std::string_view part : parts_of_text(text)) {
    const auto number = parse_real(without_plus(part));
    if (!number || !std::isfinite(*number)) break;
    numbers.push_back(*number);
  }
  if (numbers.size() != count || parts_of_text(text).size() != count)
    refuse_value(reader, element, text, count == 1 ? "a number" : fmt::format("{} numbers", count));
  return numbers;
}

std::int64_t integer_of(ElementReader& reader, const Element& element) {
  const std::string text = text_of(reader, element);
  const auto number = parse_integer(without_plus(text));
  if (!number) refuse_value(reader, element, text, "a whole number");
  return *number;
}

std::vector<std::uint16_t> shorts_of(ElementReader& reader, const Element& element, std::size_t count) {
  if (element.length != static_cast<std::int64_t>(2 * count))
    refuse(reader.path(), "{} is {} bytes long, not {}; it is damaged: copy or save it again",
           tag_text(element.tag), element.length, 2 * count);
  const auto bytes = reader.bytes(element.offset, element.length);
  std::vector<std::uint16_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(get16(bytes, 2 * i));
  return numbers;
}

std::uint16_t short_of(ElementReader& reader, const Element& element) {
  return shorts_of(reader, element, 1).front();
}

}  // namespace crema::files::dicom
