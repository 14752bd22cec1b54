// SPDX-License-Identifier: Apache-2.0
#include "files/values/colour_table.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "crema/base/csv.h"
#include "crema/base/text.h"
#include "crema/base/utf8.h"
#include "files/io/sentence.h"
#include "files/io/system/regular.h"

namespace crema::files {

namespace {

using Path = std::filesystem::path;

constexpr std::uintmax_t kMaxBytes = 16 << 20;
constexpr std::uint32_t kMaxLabel = 65535, kMaxSample = 255;

/// What columns may be called.
constexpr std::array<std::string_view, 2> kColourNames{"colour", "color"}, kClassNames{"name", "class"},
    kRed{"red", "r"}, kGreen{"green", "g"}, kBlue{"blue", "b"};
constexpr std::array<std::string_view, 1> kLabelNames{"label"};

std::uint32_t packed(const Colour& colour) {
  return std::uint32_t{colour[0]} << 16 | std::uint32_t{colour[1]} << 8 | colour[2];
}

std::string text_of(const Colour& colour) {
  return fmt::format("({}, {}, {})", colour[0], colour[1], colour[2]);
}

std::string lower(std::string_view text) {
  std::string low(trimmed(text));
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return low;
}

using Place = std::optional<std::size_t>;

/// Where the columns of the table stand.
struct Columns {
  std::size_t count = 0;
  Place label, name, colour;
  std::array<Place, 3> channels;
};

Place find_column(const std::vector<std::string>& header, std::span<const std::string_view> names,
                  const Path& path) {
  Place found;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (std::find(names.begin(), names.end(), lower(header[c])) == names.end()) continue;
    if (found) refuse(path, "the column {} appears twice; keep one of them", names.front());
    found = c;
  }
  return found;
}

Columns find_columns(const std::vector<std::string>& header, const Path& path) {
  Columns columns{.count = header.size(),
                  .label = find_column(header, kLabelNames, path),
                  .name = find_column(header, kClassNames, path),
                  .colour = find_column(header, kColourNames, path),
                  .channels = {find_column(header, kRed, path), find_column(header, kGreen, path),
                               find_column(header, kBlue, path)}};
  const auto there = [](const Place& place) { return place.has_value(); };
  const bool all = std::all_of(columns.channels.begin(), columns.channels.end(), there);
  const bool any = std::any_of(columns.channels.begin(), columns.channels.end(), there);
  if (columns.colour ? any : !all)
    refuse(path,
           "its first line must name a column colour, or red, green and blue, and may name label and name");
  if (!columns.label && !columns.name)
    refuse(path, "its first line names neither a column label nor a column name");
  return columns;
}

/// A whole number of at most `most`.
std::uint32_t number_in(std::string_view field, std::uint32_t most, std::string_view what, const Path& path,
                        std::int64_t line) {
  const std::string_view text = trimmed(field);
  std::uint32_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failed != std::errc() || end != text.data() + text.size() || number > most)
    refuse(path, "line {}: '{}' is not a valid {}; give a whole number from 0 to {}", line,
           printable(text.substr(0, 40)), what, most);
  return number;
}

Colour hex_colour(std::string_view field, const Path& path, std::int64_t line) {
  const std::string_view text = trimmed(field);
  std::uint32_t number = 0;
  const bool formed = text.size() == 7 && text.front() == '#';
  const char* const last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(formed ? text.data() + 1 : last, last, number, 16);
  if (!formed || failed != std::errc() || end != last)
    refuse(path, "line {}: '{}' is not a valid colour; write it as #rrggbb, such as #ff0000", line,
           printable(text.substr(0, 40)));
  return {static_cast<std::uint8_t>(number >> 16), static_cast<std::uint8_t>(number >> 8 & 255),
          static_cast<std::uint8_t>(number & 255)};
}

/// Puts the rows of a table together.
class TableBuilder {
 public:
  TableBuilder(const Path& path, Columns columns) : table_{.path = path}, columns_(columns) {}

  void add(const std::vector<std::string>& fields, std::int64_t line) {
    const Path& path = table_.path;
    if (fields.size() != columns_.count)
      refuse(path, "line {} has {} fields, but the first line has {}; quote fields that hold a separator",
             line, fields.size(), columns_.count);
    const Colour colour = colour_in(fields, line);
    const std::uint32_t label = columns_.label
                                    ? number_in(fields[*columns_.label], kMaxLabel, "label", path, line)
                                    : (packed(colour) == 0 ? 0 : ++last_);
    if (label > kMaxLabel) refuse(path, "lists more than {} classes", kMaxLabel);
    if (!table_.labels.emplace(packed(colour), static_cast<std::uint16_t>(label)).second)
      refuse(path, "line {}: the colour {} appears twice; keep one of them", line, text_of(colour));
    if (label > 0) add_class(label, name_in(fields, label, line), colour, line);
  }

  ColourTable whole() && {
    if (table_.classes.empty())
      refuse(table_.path, "lists no class besides the background; add a line for each colour");
    return std::move(table_);
  }

 private:
  [[nodiscard]] Colour colour_in(const std::vector<std::string>& fields, std::int64_t line) const {
    if (columns_.colour) return hex_colour(fields[*columns_.colour], table_.path, line);
    Colour colour{};
    for (std::size_t c = 0; c < 3; ++c)
      colour[c] = static_cast<std::uint8_t>(
          number_in(fields[*columns_.channels[c]], kMaxSample, "part of a colour", table_.path, line));
    return colour;
  }

  [[nodiscard]] std::string name_in(const std::vector<std::string>& fields, std::uint32_t label,
                                    std::int64_t line) const {
    const std::string_view name = columns_.name ? trimmed(fields[*columns_.name]) : std::string_view();
    if (!is_utf8(name)) refuse(table_.path, "line {}: the name is not UTF-8; save the table as UTF-8", line);
    return name.empty() ? fmt::format("label {}", label) : std::string(name);
  }

  void add_class(std::uint32_t label, const std::string& name, const Colour& colour, std::int64_t line) {
    const auto [by_label, is_new] = by_label_.emplace(label, table_.classes.size());
    const auto [by_name, unused] = by_name_.emplace(name, label);
    if (by_name->second != label)
      refuse(table_.path, "line {}: '{}' is the name of the labels {} and {}; rename one of them", line,
             printable(name), by_name->second, label);
    if (!is_new && table_.classes[by_label->second].name != name)
      refuse(table_.path, "line {}: the label {} is called '{}' and '{}'; give it one name", line, label,
             printable(table_.classes[by_label->second].name), printable(name));
    if (!is_new) return;
    std::string shown;
    for (const std::uint8_t part : colour)
      shown += fmt::format("{}{:.6g}", shown.empty() ? "" : " ", part / 255.0);
    table_.classes.push_back({name, name, shown, 0, label});
  }

  ColourTable table_;
  Columns columns_;
  std::uint32_t last_ = 0;
  std::unordered_map<std::uint32_t, std::size_t> by_label_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
};

}  // namespace

std::optional<std::uint16_t> ColourTable::label_of(const Colour& colour) const {
  const auto found = labels.find(packed(colour));
  if (found != labels.end()) return found->second;
  return packed(colour) == 0 ? std::optional<std::uint16_t>(0) : std::nullopt;
}

std::shared_ptr<const ColourTable> read_palette(const Path& path) {
  return std::make_shared<const ColourTable>(read_colour_table(path));
}

ColourTable read_colour_table(const Path& path) {
  std::error_code ignored;
  if (const std::uintmax_t size = std::filesystem::file_size(path, ignored); !ignored && size > kMaxBytes)
    refuse(path, "has {}, which is too large for a table of colours", bytes_text(static_cast<double>(size)));
  const std::string text = read_text(path);
  if (text.find('\0') != std::string::npos) refuse(path, "is not a text; name a CSV table of colours");
  try {
    CsvReader reader(text, separator_of(text));
    std::vector<std::string> fields;
    if (!reader.next(fields)) refuse(path, "is empty; name a CSV table of colours");
    TableBuilder table(path, find_columns(fields, path));
    while (reader.next(fields)) table.add(fields, reader.line());
    return std::move(table).whole();
  } catch (const InputError& e) {
    if (e.sentence.marked().starts_with(printable(path))) throw;
    throw InputError(printable(path) + ": " + e.sentence.marked());
  }
}

}  // namespace crema::files
