// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/data_set.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace crema::files::dicom {

namespace {

using Bytes = std::vector<std::uint8_t>;

void put_little(Bytes& to, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

void put_tag(Bytes& to, Tag tag) {
  put_little(to, tag >> 16, 2);
  put_little(to, tag & 0xFFFF, 2);
}

bool is_wide(std::string_view kind) { return kind == "SQ" || kind == "OB" || kind == "OW" || kind == "UT"; }

Bytes head_of(Tag tag, std::string_view kind, std::uint32_t length) {
  Bytes all;
  put_tag(all, tag);
  for (const char c : kind) all.push_back(static_cast<std::uint8_t>(c));
  if (is_wide(kind)) put_little(all, 0, 2);
  put_little(all, length, is_wide(kind) ? 4 : 2);
  return all;
}

/// 64 bits of a text, the same on every machine.
std::uint64_t digest(std::string_view text, std::uint64_t state) {
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  state ^= state >> 30;
  state *= 0xbf58476d1ce4e5b9;
  state ^= state >> 27;
  state *= 0x94d049bb133111eb;
  return state ^ state >> 31;
}

}  // namespace

DataSet& DataSet::put(Tag tag, std::string_view kind, Bytes value) {
  if (value.size() % 2 == 1) value.push_back(kind == "UI" || kind == "OB" ? 0 : ' ');
  Bytes all = head_of(tag, kind, static_cast<std::uint32_t>(value.size()));
  all.insert(all.end(), value.begin(), value.end());
  elements_[tag] = std::move(all);
  return *this;
}

DataSet& DataSet::text(Tag tag, std::string_view kind, std::string_view value) {
  return put(tag, kind, Bytes(value.begin(), value.end()));
}

DataSet& DataSet::number(Tag tag, std::uint16_t value) { return numbers(tag, {value}); }

DataSet& DataSet::numbers(Tag tag, const std::vector<std::uint16_t>& values) {
  Bytes bytes;
  for (const std::uint16_t value : values) put_little(bytes, value, 2);
  return put(tag, "US", std::move(bytes));
}

DataSet& DataSet::wide_numbers(Tag tag, const std::vector<std::uint32_t>& values) {
  Bytes bytes;
  for (const std::uint32_t value : values) put_little(bytes, value, 4);
  return put(tag, "UL", std::move(bytes));
}

DataSet& DataSet::sequence(Tag tag, const std::vector<DataSet>& items) {
  Bytes all;
  for (const DataSet& item : items) {
    const Bytes own = item.bytes();
    put_tag(all, kItem);
    put_little(all, static_cast<std::uint32_t>(own.size()), 4);
    all.insert(all.end(), own.begin(), own.end());
  }
  return put(tag, "SQ", std::move(all));
}

DataSet& DataSet::code(Tag tag, std::string_view value, std::string_view scheme, std::string_view meaning) {
  DataSet own;
  own.text(0x00080100, "SH", value).text(0x00080102, "SH", scheme).text(0x00080104, "LO", meaning);
  return sequence(tag, {own});
}

DataSet& DataSet::head(Tag tag, std::string_view kind, std::uint32_t length) {
  elements_[tag] = head_of(tag, kind, length);
  return *this;
}

std::vector<std::uint8_t> DataSet::bytes() const {
  Bytes all;
  for (const auto& [tag, element] : elements_) all.insert(all.end(), element.begin(), element.end());
  return all;
}

std::string decimal_text(double value) {
  for (int digits = 17; digits > 1; --digits) {
    std::string text = fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits);
    if (text.size() <= 16) return text;
  }
  return "0";
}

std::string derived_uid(std::string_view text) {
  std::array<std::uint32_t, 4> words{};
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint64_t own = digest(text, half == 0 ? 0xcbf29ce484222325 : 0x6c62272e07bb0142);
    words[2 * half] = static_cast<std::uint32_t>(own >> 32);
    words[2 * half + 1] = static_cast<std::uint32_t>(own);
  }
  std::string digits;
  while (std::any_of(words.begin(), words.end(), [](auto word) { return word != 0; })) {
    std::uint64_t rest = 0;
    for (std::uint32_t& word : words) {
      const std::uint64_t value = rest << 32 | word;
      word = static_cast<std::uint32_t>(value / 10);
      rest = value % 10;
    }
    digits += static_cast<char>('0' + rest);
  }
  std::reverse(digits.begin(), digits.end());
  return "2.25." + (digits.empty() ? "0" : digits);
}

}  // namespace crema::files::dicom
