// SPDX-License-Identifier: Apache-2.0
#include "study/tables/table_stream.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "files/files.h"

namespace crema::study {
namespace {

constexpr std::size_t kBlock = 1 << 20;

/// Where the last whole row ends: behind the last line feed that is in no quotes.
std::size_t end_of_rows(std::string_view text) {
  std::size_t end = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (text[at] == '\n' && !quoted) end = at + 1;
  }
  return end;
}

}  // namespace

TableStream::TableStream(const std::filesystem::path& path, std::string label)
    : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw InputError(fmt::format("{}: cannot be opened.", files::printable(path_)));
  read_ahead();
  columns_ = ahead_;
  case_ = column("case");
  label_ = std::move(label);
  if (!label_.empty()) label_column_ = column("label");
  read_ahead();
}

void TableStream::refuse(const std::string& what) const {
  throw InputError(fmt::format("{}: {} {} makes the tables of a run again.", files::printable(path_), what,
                               Sentence::command("cohort merge")));
}

std::size_t TableStream::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) refuse(fmt::format("has no column {}.", name));
  return static_cast<std::size_t>(found - columns_.begin());
}

bool TableStream::fill() {
  std::string bytes(kBlock, '\0');
  std::size_t end = 0;
  while (end == 0 && file_) {
    file_.read(bytes.data(), static_cast<std::streamsize>(kBlock));
    const auto got = static_cast<std::size_t>(file_.gcount());
    rest_.append(bytes, 0, got);
    end = got < kBlock ? rest_.size() : end_of_rows(rest_);
  }
  if (file_.bad())
    throw FileError(fmt::format("{}: cannot be read; check the disk.", files::printable(path_)));
  block_.assign(rest_, 0, end);
  rest_.erase(0, end);
  reader_.emplace(block_, ',');
  return !block_.empty();
}

void TableStream::read_ahead() {
  const auto other = [&] {
    return !label_.empty() && !ahead_[label_column_].empty() && ahead_[label_column_] != label_;
  };
  do more_ = read_row();
  while (more_ && other());
}

bool TableStream::read_row() {
  try {
    while (!reader_ || !reader_->next(ahead_))
      if (!fill()) return false;
  } catch (const InputError& e) {
    refuse(e.sentence.marked());
  }
  if (!columns_.empty() && ahead_.size() != columns_.size())
    refuse(fmt::format("has a row of {} fields where there are {} columns.", ahead_.size(), columns_.size()));
  return true;
}

bool TableStream::next() {
  if (!more_) return false;
  row_.swap(ahead_);
  read_ahead();
  return true;
}

bool TableStream::next_of(std::string_view name) { return more_ && ahead_[case_] == name && next(); }

void TableStream::skip_before(std::string_view name) {
  while (more_ && ahead_[case_] < name) next();
}

std::optional<double> TableStream::number(std::size_t column) const {
  const std::string& field = row_[column];
  if (field.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
    refuse(fmt::format("{} in column {} of case {} is not a number.", files::printable(field),
                       columns_[column], files::printable(row_[case_])));
  return value;
}

double TableStream::value(std::size_t column) const {
  const std::optional<double> found = number(column);
  if (!found)
    refuse(fmt::format("column {} of case {} is empty.", columns_[column], files::printable(row_[case_])));
  return *found;
}

void TableStream::check_end() const {
  if (more_) refuse(fmt::format("case {} is not where cases.csv has it.", files::printable(ahead_[case_])));
}

}  // namespace crema::study
