// SPDX-License-Identifier: Apache-2.0
#include "cohort/manifest.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cohort/csv.h"
#include "crema/error.h"
#include "crema/text.h"
#include "files/files.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kColumns{"case", "rater", "path"};

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw InputError(fmt::format("{}: {}", files::printable(path), what));
}

std::array<std::size_t, 3> find_columns(const fs::path& path, const std::vector<std::string>& header) {
  std::array<std::size_t, 3> places{};
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    const auto named = [&](const std::string& name) { return trimmed(name) == kColumns[c]; };
    const auto found = std::find_if(header.begin(), header.end(), named);
    if (found == header.end())
      refuse(path, fmt::format("the first line does not name a column {}; a manifest is a table with the "
                               "columns case, rater and path, separated by commas or tabs.",
                               kColumns[c]));
    if (std::find_if(found + 1, header.end(), named) != header.end())
      refuse(path, fmt::format("the column {} is there twice; keep one of them.", kColumns[c]));
    places[c] = static_cast<std::size_t>(found - header.begin());
  }
  return places;
}

std::vector<Entry> read_rows(const fs::path& path, std::string_view text) {
  CsvReader reader(text, separator_of(text));
  std::vector<std::string> fields;
  if (!reader.next(fields)) refuse(path, "is empty; name a manifest with the columns case, rater and path.");
  const std::array<std::size_t, 3> places = find_columns(path, fields);
  const std::size_t columns = fields.size();
  std::vector<Entry> entries;
  while (reader.next(fields)) {
    if (fields.size() != columns)
      refuse(path, fmt::format("line {} has {} fields, but the first line has {}; quote fields that hold a "
                               "separator.",
                               reader.line(), fields.size(), columns));
    for (std::size_t c = 0; c < places.size(); ++c)
      if (fields[places[c]].empty())
        refuse(path, fmt::format("line {}: the {} is empty; fill it in.", reader.line(), kColumns[c]));
    entries.push_back({fields[places[0]], fields[places[1]], fields[places[2]], reader.line()});
  }
  if (entries.empty()) refuse(path, "lists no case; add a line for each rater of each case.");
  return entries;
}

/// Tabs, quotes and ends of lines need quotes around them.
void put_field(std::string& text, const std::string& field) {
  if (field.find_first_of("\t\"\r\n") == std::string::npos) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace

std::string read_text(const fs::path& path) {
  const auto fail = [&] {
    throw FileError(fmt::format("{}: cannot be read: {}.", files::printable(path), std::strerror(errno)));
  };
  // A pipe is never waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail();
  struct stat status {};
  std::string text;
  bool fine = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (fine) {
    text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t have = 0;
    while (fine && have < text.size()) {
      const ssize_t got = ::read(descriptor, text.data() + have, text.size() - have);
      if (got == 0) text.resize(have);
      if (got > 0) have += static_cast<std::size_t>(got);
      fine = got >= 0 || errno == EINTR;
    }
  } else {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  }
  const int error = errno;
  ::close(descriptor);
  errno = error;
  if (!fine) fail();
  return text;
}

std::vector<Entry> read_manifest(const fs::path& path) {
  const std::string text = read_text(path);
  if (text.find('\0') != std::string::npos)
    refuse(path,
           "is not a text; name a folder of cases, or a manifest with the columns case, rater and "
           "path.");
  try {
    return read_rows(path, text);
  } catch (const UsageError&) {
    throw;
  } catch (const InputError& e) {
    const std::string& told = e.sentence.marked();
    if (told.starts_with(files::printable(path))) throw;
    refuse(path, told);
  }
}

Cohort cohort_from_manifest(const fs::path& path) {
  Cohort cohort;
  cohort.layout = Layout::manifest;
  cohort.root = fs::absolute(path).lexically_normal().parent_path();
  cohort.reason = "a file that lists case, rater and path";
  std::vector<Entry> entries = read_manifest(path);
  try {
    sort_into_cases(std::move(entries), cohort);
  } catch (const InputError& e) {
    refuse(path, e.sentence.marked());
  }
  return cohort;
}

void write_manifest(const std::vector<const CohortCase*>& cases,
                    const std::function<void(std::string_view)>& write) {
  constexpr std::size_t kPiece = 1 << 20;
  std::string text = "case\trater\tpath\n";
  for (const CohortCase* one : cases) {
    for (const RaterFile& file : one->raters) {
      put_field(text, one->name);
      text += '\t';
      put_field(text, file.rater);
      text += '\t';
      put_field(text, file.path);
      text += '\n';
    }
    if (text.size() < kPiece) continue;
    write(text);
    text.clear();
  }
  write(text);
}

std::vector<const CohortCase*> all_cases(const Cohort& cohort) {
  std::vector<const CohortCase*> cases;
  for (const CohortCase& one : cohort.cases) cases.push_back(&one);
  return cases;
}

}  // namespace crema::cohort
