// SPDX-License-Identifier: Apache-2.0
#include "files/io/text_header.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kMaxLine = 512 * 1024;
constexpr std::string_view kBlanks = " \t\v\f\r\n";

template <class Number>
std::optional<Number> parse(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

template <class Number>
std::optional<std::vector<Number>> parse_all(std::string_view text) {
  std::vector<Number> values;
  for (const std::string_view word : words_of(text)) {
    const auto value = parse<Number>(word);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

}  // namespace

std::optional<std::string_view> find_entry(const std::vector<Entry>& entries, std::string_view name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  if (found == entries.end()) return {};
  return found->text;
}

void LineReader::load() {
  std::vector<std::uint8_t> piece(kPiece);
  piece.resize(source_->read(position_ + static_cast<std::int64_t>(buffer_.size()), piece));
  buffer_.append(piece.begin(), piece.end());
}

std::optional<std::string> LineReader::next() {
  std::size_t end = buffer_.find('\n');
  for (std::size_t before = buffer_.size() + 1; end == std::string::npos && before != buffer_.size();) {
    if (buffer_.size() > kMaxLine || position_ > static_cast<std::int64_t>(kMaxHeader))
      refuse(source_->path(),
             "is damaged: line {} of its header is longer than {} bytes; copy or save it again", lines_ + 1,
             buffer_.size());
    before = buffer_.size();
    load();
    end = buffer_.find('\n', before);
  }
  if (buffer_.empty()) return {};
  const std::size_t length = std::min(end, buffer_.size());
  std::string line = buffer_.substr(0, length);
  const std::size_t taken = std::min(length + 1, buffer_.size());
  buffer_.erase(0, taken);
  position_ += static_cast<std::int64_t>(taken);
  ++lines_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.find('\0') != std::string::npos)
    refuse(source_->path(), "is damaged: line {} of its header is not text; copy or save it again", lines_);
  return line;
}

std::string start_text(const Source& source, std::size_t count) {
  const auto bytes = source.start(count);
  return {bytes.begin(), bytes.end()};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::optional<double> parse_real(std::string_view text) { return parse<double>(text); }

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse<std::int64_t>(text); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) { return parse<std::uint64_t>(text); }

std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text) {
  return parse_all<std::int64_t>(text);
}

std::optional<std::vector<double>> parse_reals(std::string_view text) { return parse_all<double>(text); }

std::string real_text(double value) {
  std::array<char, 32> digits{};
  // A zero has no direction worth a sign.
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value == 0 ? 0.0 : value);
  return {digits.data(), result.ptr};
}

}  // namespace crema::files
