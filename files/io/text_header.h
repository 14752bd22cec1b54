// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/io/source.h"

namespace crema::files {

/// A named text, as headers made of lines have them.
struct Entry {
  std::string name;
  std::string text;
};

/// The text of the first entry of that name, or nothing.
std::optional<std::string_view> find_entry(const std::vector<Entry>& entries, std::string_view name);

/// Longer headers are refused, so that none may be written.
inline constexpr std::size_t kMaxHeader = std::size_t{8} * 1024 * 1024;

/// Lines at the start of a file, one by one; LF and CR LF both end a line. Refuses what is too long for a
/// header, or holds a zero byte.
class LineReader {
 public:
  explicit LineReader(const Source& source) : source_(&source) {}

  /// The next line without its end; nothing when the file has ended.
  std::optional<std::string> next();

  /// Behind the end of the line given last, in bytes from the start of the file.
  [[nodiscard]] std::int64_t position() const { return position_; }
  [[nodiscard]] int lines() const { return lines_; }

 private:
  void load();

  const Source* source_;
  std::string buffer_;  ///< bytes behind the position
  std::int64_t position_ = 0;
  int lines_ = 0;
};

/// The first bytes of a file, to be compared with those of a header read before.
std::string start_text(const Source& source, std::size_t count);

std::string_view trimmed(std::string_view text);
std::string lower_case(std::string_view text);

/// The parts of a text between blanks.
std::vector<std::string_view> words_of(std::string_view text);

/// Numbers by the rules of no locale; nothing when the whole text is not one.
std::optional<double> parse_real(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// As many whole numbers, or real ones, as the text has words; nothing when one of them is none.
std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text);
std::optional<std::vector<double>> parse_reals(std::string_view text);

/// The fewest digits that read back as the same number.
std::string real_text(double value);

}  // namespace crema::files
