// SPDX-License-Identifier: Apache-2.0
#include "crema/base/csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema {

CsvReader::CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text_.starts_with(mark)) at_ = mark.size();
}

void CsvReader::quoted(std::string& into) {
  const std::int64_t begin = next_line_;
  for (++at_;; ++at_) {
    if (at_ >= text_.size()) throw InputError(fmt::format("line {}: a quote is not closed.", begin));
    if (text_[at_] == '"') {
      if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
      ++at_;
    }
    if (text_[at_] == '\n') ++next_line_;
    into += text_[at_];
  }
  ++at_;
  if (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\r' && text_[at_] != '\n')
    throw InputError(fmt::format("line {}: unexpected text after a quote.", begin));
}

void CsvReader::field(std::string& into) {
  into.clear();
  if (at_ < text_.size() && text_[at_] == '"') return quoted(into);
  const char stops[] = {separator_, '\r', '\n'};
  const std::size_t end = std::min(text_.find_first_of(std::string_view(stops, 3), at_), text_.size());
  into.assign(text_.substr(at_, end - at_));
  at_ = end;
}

bool CsvReader::end_of_row() {
  if (at_ < text_.size() && text_[at_] == separator_) {
    ++at_;
    return false;
  }
  if (text_.substr(at_, 2) == "\r\n")
    at_ += 2;
  else if (at_ < text_.size())
    ++at_;
  ++next_line_;
  return true;
}

bool CsvReader::next(std::vector<std::string>& fields) {
  while (at_ < text_.size()) {
    line_ = next_line_;
    std::size_t count = 0;
    do {
      if (count == fields.size()) fields.emplace_back();
      field(fields[count++]);
    } while (!end_of_row());
    fields.resize(count);
    if (count > 1 || !fields.front().empty()) return true;
  }
  return false;
}

char separator_of(std::string_view text) {
  const std::string_view first = text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
  for (const char separator : {'\t', ';'})
    if (first.find(separator) != std::string_view::npos) return separator;
  return ',';
}

}  // namespace crema
