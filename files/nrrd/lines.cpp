// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/lines.h"

#include <algorithm>
#include <array>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;

constexpr std::array kKnown{
    "dimension"sv,
    "type"sv,
    "block size"sv,
    "encoding"sv,
    "endian"sv,
    "content"sv,
    "min"sv,
    "max"sv,
    "old min"sv,
    "old max"sv,
    "data file"sv,
    "line skip"sv,
    "byte skip"sv,
    "number"sv,
    "sample units"sv,
    "sizes"sv,
    "spacings"sv,
    "thicknesses"sv,
    "axis mins"sv,
    "axis maxs"sv,
    "centerings"sv,
    "labels"sv,
    "units"sv,
    "kinds"sv,
    "space"sv,
    "space units"sv,
    "space dimension"sv,
    "space origin"sv,
    "space directions"sv,
    "measurement frame"sv,
};

/// Both "data file" and "datafile" occur; this is the former.
std::string usual_spelling(std::string_view name) {
  std::string given = lower_case(trimmed(name));
  const auto squeezed = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  if (given == "centers") return "centerings";
  for (const std::string_view known : kKnown) {
    if (squeezed(std::string(known)) == squeezed(given)) return std::string(known);
  }
  return given;
}

/// "\n" and "\\" stand for a line's end and a backslash in a value.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == '\\');
    if (escape) ++i;
    result += escape && text[i] == 'n' ? '\n' : text[i];
  }
  return result;
}

int version_of(const std::string& magic, const Source& source) {
  const auto version = magic.size() == 8 ? parse_integer(std::string_view(magic).substr(4)) : std::nullopt;
  if (!version || *version < 1 || *version > 5)
    refuse(source.path(), "starts with '{}', but NRRD0001 to NRRD0005 are supported; save it again",
           printable(magic.substr(0, 20)));
  return static_cast<int>(*version);
}

void take_field(NrrdHeader& header, const std::string& line, std::size_t colon, const Source& source) {
  const std::string name = usual_spelling(std::string_view(line).substr(0, colon));
  if (header.field(name))
    refuse(source.path(), "states '{}' twice; it is damaged: copy or save it again", printable(name));
  if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
    header.warnings.push_back(
        {sentence(source.path(), "its field '{}' is unknown; it is ignored", printable(name)),
         WarningKind::file});
  header.fields.push_back({name, std::string(trimmed(std::string_view(line).substr(colon + 1)))});
}

void take_line(NrrdHeader& header, const std::string& line, int number, const Source& source) {
  if (line.front() == '#') return;
  const std::size_t pair = line.find(":="), colon = line.find(": ");
  const bool bare = colon == std::string::npos && line.back() == ':';
  if (pair != std::string::npos && pair < colon) {
    header.pairs.push_back({unescaped(line.substr(0, pair)), unescaped(line.substr(pair + 2))});
  } else if (colon != std::string::npos || bare) {
    take_field(header, line, bare ? line.size() - 1 : colon, source);
  } else {
    refuse(source.path(),
           "line {} of its header is neither a field nor a pair: '{}'; it is damaged: copy or save it again",
           number, printable(line.substr(0, 40)));
  }
}

}  // namespace

NrrdHeader read_nrrd_lines(const Source& source) {
  NrrdHeader header;
  LineReader lines(source);
  version_of(lines.next().value_or(""), source);
  bool ended = false;
  while (const auto line = lines.next()) {
    ended = line->empty();
    if (ended) break;
    take_line(header, *line, lines.lines(), source);
    // Behind a list of files there are names, not fields.
    if (const auto file = header.field("data file"); file && file->starts_with("LIST")) break;
  }
  if (!ended && !header.field("data file"))
    refuse(source.path(), "is cut short: no empty line ends its NRRD header; copy or download it again");
  header.raw = start_text(source, static_cast<std::size_t>(lines.position()));
  return header;
}

}  // namespace crema::files
