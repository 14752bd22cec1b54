// SPDX-License-Identifier: Apache-2.0
#include "cohort/find/manifest.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "crema/base/csv.h"
#include "crema/base/error.h"
#include "crema/base/text.h"
#include "files/files.h"
#include "files/io/system/regular.h"

namespace crema::cohort {
namespace {

namespace fs = std::filesystem;

enum class Whose { anybody, crema };

constexpr std::array<std::string_view, 3> kColumns{"case", "rater", "path"};
/// In place of rater: the name means the same person in every case.
constexpr std::string_view kPerson = "person";

[[noreturn]] void refuse_manifest(const fs::path& path, const std::string& what) {
  throw InputError(fmt::format("{}: {}", files::printable(path), what));
}

bool has_column(const std::vector<std::string>& header, std::string_view column) {
  return std::any_of(header.begin(), header.end(),
                     [&](const std::string& name) { return trimmed(name) == column; });
}

/// Whether the column person stands in place of rater.
bool names_persons(const std::vector<std::string>& header) {
  return !has_column(header, kColumns[1]) && has_column(header, kPerson);
}

std::array<std::size_t, 3> find_columns(const fs::path& path, const std::vector<std::string>& header) {
  std::array<std::size_t, 3> places{};
  std::array<std::string_view, 3> columns = kColumns;
  if (names_persons(header)) columns[1] = kPerson;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto named = [&](const std::string& name) { return trimmed(name) == columns[c]; };
    const auto found = std::find_if(header.begin(), header.end(), named);
    if (found == header.end())
      refuse_manifest(path,
                      fmt::format("the first line does not name a column {}; a manifest is a table with the "
                                  "columns case, rater and path, separated by commas or tabs.",
                                  columns[c]));
    if (std::find_if(found + 1, header.end(), named) != header.end())
      refuse_manifest(path, fmt::format("the column {} appears twice; keep one of them.", columns[c]));
    places[c] = static_cast<std::size_t>(found - header.begin());
  }
  return places;
}

/// A column that need not be there.
std::optional<std::size_t> place_of(const std::vector<std::string>& header, std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

std::vector<Entry> read_rows(const fs::path& path, std::string_view text, Whose whose) {
  CsvReader reader(text, separator_of(text));
  std::vector<std::string> fields;
  if (!reader.next(fields))
    refuse_manifest(path, "is empty; name a manifest with the columns case, rater and path.");
  const std::array<std::size_t, 3> places = find_columns(path, fields);
  const std::size_t columns = fields.size();
  const bool persons = names_persons(fields);
  const std::optional<std::size_t> image = place_of(fields, "image");
  std::optional<std::size_t> unread;
  if (whose == Whose::crema) unread = place_of(fields, "unread");
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
  while (reader.next(fields)) {
    if (fields.size() != columns)
      refuse_manifest(
          path, fmt::format("line {} has {} fields, but the first line has {}; quote fields that hold a "
                            "separator.",
                            reader.line(), fields.size(), columns));
    const std::string problem = unread ? fields[*unread] : "";
    for (std::size_t c = 0; c < places.size(); ++c)
      if (fields[places[c]].empty() && (c == 0 || problem.empty()))
        refuse_manifest(path,
                        fmt::format("line {}: the {} is empty; fill it in.", reader.line(), kColumns[c]));
    entries.push_back({fields[places[0]], fields[places[1]], fields[places[2]], reader.line(),
                       image ? fields[*image] : "", problem, persons});
  }
  if (entries.empty()) refuse_manifest(path, "lists no case; add a line for each rater of each case.");
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

std::vector<Entry> read_table(const fs::path& path, Whose whose) {
  const std::string text = files::read_text(path);
  if (text.find('\0') != std::string::npos)
    refuse_manifest(path,
                    "is not a text; name a folder of cases, or a manifest with the columns case, rater and "
                    "path.");
  try {
    return read_rows(path, text, whose);
  } catch (const UsageError&) {
    throw;
  } catch (const InputError& e) {
    const std::string& reported = e.sentence.marked();
    if (reported.starts_with(files::printable(path))) throw;
    refuse_manifest(path, reported);
  }
}

}  // namespace

std::vector<Entry> read_manifest(const fs::path& path) { return read_table(path, Whose::anybody); }

std::vector<Entry> read_own_manifest(const fs::path& path) { return read_table(path, Whose::crema); }

Cohort cohort_from_manifest(const Where& where) {
  Cohort cohort;
  cohort.layout = Layout::manifest;
  cohort.root = fs::absolute(where.data).lexically_normal().parent_path();
  cohort.location = location_of(where.data);
  cohort.reason = "a file that lists case, rater and path";
  try {
    Selected selected = select(read_manifest(where.data), where, cohort.warnings);
    if (selected.masks.empty())
      throw NothingFound(fmt::format("{}: no mask in it matches these patterns; choose others.",
                                     files::printable(where.data)));
    sort_into_cases(std::move(selected.masks), cohort);
    name_images(where, cohort);
  } catch (const NothingFound&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const InputError& e) {
    const std::string& reported = e.sentence.marked();
    if (reported.starts_with(files::printable(where.data))) throw;
    refuse_manifest(where.data, reported);
  }
  return cohort;
}

std::string_view rater_column(const Cohort& cohort) { return cohort.persons ? kPerson : kColumns[1]; }

void write_manifest(const std::vector<const CohortCase*>& cases,
                    const std::function<void(std::string_view)>& write, std::string_view rater) {
  constexpr std::size_t kPiece = 1 << 20;
  const auto any = [&](std::string CohortCase::*member) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const CohortCase* one) { return !(one->*member).empty(); });
  };
  const bool images = any(&CohortCase::image), unread = any(&CohortCase::unread);
  std::string text = fmt::format("case\t{}\tpath", rater);
  text += std::string(images ? "\timage" : "") + (unread ? "\tunread\n" : "\n");
  const auto add = [&](const CohortCase& one, const RaterFile& file) {
    put_field(text, one.name);
    for (const std::string* field : {&file.rater, &file.path}) put_field(text += '\t', *field);
    if (images) put_field(text += '\t', one.image);
    if (unread) put_field(text += '\t', one.unread);
    text += '\n';
  };
  for (const CohortCase* one : cases) {
    for (const RaterFile& file : one->raters) add(*one, file);
    if (one->raters.empty()) add(*one, {});
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
