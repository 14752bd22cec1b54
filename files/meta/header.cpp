// SPDX-License-Identifier: Apache-2.0
#include "files/meta/header.h"

#include <algorithm>
#include <array>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxAxes = 8;
constexpr std::int64_t kMaxOffset = std::int64_t{1} << 40;
constexpr int kMaxLines = 10'000;

struct TypeName {
  std::string_view name;
  Number number;
};

/// A MET_LONG has 4 bytes on every machine.
constexpr std::array kTypes{
    TypeName{"MET_ASCII_CHAR", Number::int8},   TypeName{"MET_CHAR", Number::int8},
    TypeName{"MET_UCHAR", Number::uint8},       TypeName{"MET_SHORT", Number::int16},
    TypeName{"MET_USHORT", Number::uint16},     TypeName{"MET_INT", Number::int32},
    TypeName{"MET_UINT", Number::uint32},       TypeName{"MET_LONG", Number::int32},
    TypeName{"MET_ULONG", Number::uint32},      TypeName{"MET_LONG_LONG", Number::int64},
    TypeName{"MET_ULONG_LONG", Number::uint64}, TypeName{"MET_FLOAT", Number::float32},
    TypeName{"MET_DOUBLE", Number::float64},
};

std::string_view needed(const MetaHeader& header, std::string_view name, const fs::path& path) {
  const auto text = header.entry(name);
  if (!text || text->empty())
    refuse(path, "its header does not state {}; it is damaged: copy or save it again", name);
  return *text;
}

std::int64_t whole_number(const MetaHeader& header, std::string_view name, std::int64_t otherwise,
                          const fs::path& path) {
  const auto text = header.entry(name);
  if (!text) return otherwise;
  const auto value = parse_integer(*text);
  if (!value)
    refuse(path, "states {} = {}; it is damaged: copy or save it again", name,
           printable(text->substr(0, 40)));
  return *value;
}

std::optional<bool> truth(const MetaHeader& header, std::string_view name, const fs::path& path) {
  const auto text = header.entry(name);
  if (!text) return {};
  const std::string value = lower_case(*text);
  if (value == "true" || value == "t" || value == "1") return true;
  if (value == "false" || value == "f" || value == "0") return false;
  refuse(path, "states {} = {}, not True or False; it is damaged: copy or save it again", name,
         printable(text->substr(0, 40)));
}

void take_line(MetaHeader& header, const std::string& line, int number, const fs::path& path) {
  const std::size_t at = line.find_first_of("=:");
  const std::string name(trimmed(std::string_view(line).substr(0, at)));
  if (at == std::string::npos || name.empty())
    refuse(path,
           "line {} of its header is '{}', not a name and a value; it is damaged: copy or save it again",
           number, printable(line.substr(0, 40)));
  if (header.entry(name))
    refuse(path, "states {} twice; it is damaged: copy or save it again", printable(name));
  header.entries.push_back({name, std::string(trimmed(std::string_view(line).substr(at + 1)))});
}

/// The lines up to the one that says where the voxels are, which is the last.
MetaHeader read_lines(const Source& source) {
  MetaHeader header;
  LineReader lines(source);
  while (!header.entry("ElementDataFile")) {
    const auto line = lines.next();
    if (!line || lines.lines() > kMaxLines)
      refuse(source.path(), "is cut short: its header does not locate the voxels (ElementDataFile)");
    if (!trimmed(*line).empty()) take_line(header, *line, lines.lines(), source.path());
  }
  header.raw = start_text(source, static_cast<std::size_t>(lines.position()));
  return header;
}

void parse_sizes(MetaHeader& header, const fs::path& path) {
  const std::string_view text = needed(header, "NDims", path);
  const auto axes = parse_integer(text);
  if (!axes || *axes < 1 || *axes > kMaxAxes)
    refuse(path, "states NDims = {}, not 1 to {}; it is damaged: copy or save it again",
           printable(text.substr(0, 40)), kMaxAxes);
  const std::string_view sizes = needed(header, "DimSize", path);
  const auto parsed = parse_integers(sizes);
  if (!parsed || static_cast<std::int64_t>(parsed->size()) != *axes)
    refuse(path, "states DimSize = {}, but NDims = {}; it is damaged: copy or save it again",
           printable(sizes.substr(0, 60)), *axes);
  const auto bad = [](std::int64_t size) { return size < 1 || size > INT32_MAX; };
  if (std::any_of(parsed->begin(), parsed->end(), bad))
    refuse(path, "states DimSize = {}, but each must be from 1 to {}; it is damaged: copy or save it again",
           printable(sizes), INT32_MAX);
  header.sizes = *parsed;
}

void parse_type(MetaHeader& header, const fs::path& path) {
  const std::int64_t channels = whole_number(header, "ElementNumberOfChannels", 1, path);
  if (channels != 1)
    refuse(path, "has {} channels (ElementNumberOfChannels), but a mask has 1; save one of them separately",
           channels);
  const std::string_view name = needed(header, "ElementType", path);
  const auto* const found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& type) { return type.name == name; });
  if (found == kTypes.end())
    refuse(path, "holds values of type {}; save it as whole numbers or floats",
           printable(name.substr(0, 40)));
  header.type.number = found->number;
}

void parse_scaling(MetaHeader& header, const fs::path& path) {
  const auto slope_text = header.entry("ElementToIntensityFunctionSlope");
  const auto shift_text = header.entry("ElementToIntensityFunctionOffset");
  const auto slope = parse_real(slope_text.value_or("1")), shift = parse_real(shift_text.value_or("0"));
  if (!slope || !shift || (*slope == 1 && *shift == 0)) return;
  header.warnings.push_back(
      {sentence(path, "states a scaling of its values (slope {}, offset {}), which is ignored, as ITK does",
                *slope, *shift),
       WarningKind::values});
}

void parse_storage(MetaHeader& header, const fs::path& path) {
  if (!truth(header, "BinaryData", path).value_or(true)) header.writing = Writing::text;
  if (truth(header, "CompressedData", path).value_or(false)) header.packing = Packing::zlib;
  const auto first = truth(header, "BinaryDataByteOrderMSB", path);
  const auto second = truth(header, "ElementByteOrderMSB", path);
  if (first && second && *first != *second)
    refuse(path,
           "states two byte orders (BinaryDataByteOrderMSB, ElementByteOrderMSB); it is damaged: copy or "
           "save it again");
  const bool wide = bytes_of(header.type.number) > 1 && header.writing == Writing::binary;
  header.type.swapped = wide && first.value_or(second.value_or(false));
  if (wide && !first && !second)
    header.warnings.push_back(
        {sentence(path, "does not state its byte order; little-endian is assumed"), WarningKind::file});
  if (header.packing == Packing::zlib && header.entry("CompressedDataSize"))
    header.packed_bytes = whole_number(header, "CompressedDataSize", 0, path);
  header.header_size = whole_number(header, "HeaderSize", 0, path);
  const bool from_end = header.packing == Packing::none && header.writing == Writing::binary;
  if (header.header_size < (from_end ? -1 : 0) || header.header_size > kMaxOffset)
    refuse(path, "states HeaderSize = {}, which is impossible; it is damaged: copy or save it again",
           header.header_size);
}

void parse_data_file(MetaHeader& header, const fs::path& path) {
  const std::string_view name = needed(header, "ElementDataFile", path);
  if (lower_case(name) == "local") return;
  if (name == "LIST" || name.starts_with("LIST ") || name.starts_with("LIST:"))
    refuse(path, "lists one file per slice, which is not supported; save it as one .mha");
  header.data_file = name;
}

}  // namespace

std::vector<const Entry*> MetaHeader::all_of(std::initializer_list<std::string_view> names) const {
  std::vector<const Entry*> found;
  for (const std::string_view name : names) {
    for (const Entry& entry : entries) {
      if (entry.name == name) found.push_back(&entry);
    }
  }
  return found;
}

bool looks_like_meta(std::span<const std::uint8_t> start) {
  std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t at = std::min(line.find_first_of("=:"), line.size());
    const std::string_view name = trimmed(line.substr(0, at));
    if (at < line.size() && (name == "NDims" || name == "ObjectType" || name == "ElementDataFile"))
      return true;
    if (line.find('\0') != std::string_view::npos) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

MetaHeader parse_meta(const Source& source) {
  const fs::path& path = source.path();
  MetaHeader header = read_lines(source);
  const std::string kind = lower_case(header.entry("ObjectType").value_or("Image"));
  if (kind != "image")
    refuse(path, "holds an object of type {}, not an image", printable(kind.substr(0, 40)));
  parse_sizes(header, path);
  parse_type(header, path);
  parse_scaling(header, path);
  parse_storage(header, path);
  parse_data_file(header, path);
  return header;
}

}  // namespace crema::files
