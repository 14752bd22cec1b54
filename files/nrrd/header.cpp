// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/header.h"

#include <algorithm>
#include <array>

#include "files/io/sentence.h"
#include "files/nrrd/lines.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;
namespace fs = std::filesystem;

constexpr std::int64_t kMaxAxes = 16;
/// Lines and bytes to pass over are far fewer; more would only make a damaged file slow to refuse.
constexpr std::int64_t kMaxSkip = std::int64_t{1} << 28;

struct TypeName {
  std::string_view name;
  Number number;
};

constexpr std::array kTypes{
    TypeName{"signed char", Number::int8},
    TypeName{"char", Number::int8},
    TypeName{"int8", Number::int8},
    TypeName{"int8_t", Number::int8},
    TypeName{"uchar", Number::uint8},
    TypeName{"unsigned char", Number::uint8},
    TypeName{"uint8", Number::uint8},
    TypeName{"uint8_t", Number::uint8},
    TypeName{"short", Number::int16},
    TypeName{"short int", Number::int16},
    TypeName{"signed short", Number::int16},
    TypeName{"signed short int", Number::int16},
    TypeName{"int16", Number::int16},
    TypeName{"int16_t", Number::int16},
    TypeName{"ushort", Number::uint16},
    TypeName{"unsigned short", Number::uint16},
    TypeName{"unsigned short int", Number::uint16},
    TypeName{"uint16", Number::uint16},
    TypeName{"uint16_t", Number::uint16},
    TypeName{"int", Number::int32},
    TypeName{"signed int", Number::int32},
    TypeName{"int32", Number::int32},
    TypeName{"int32_t", Number::int32},
    TypeName{"uint", Number::uint32},
    TypeName{"unsigned int", Number::uint32},
    TypeName{"uint32", Number::uint32},
    TypeName{"uint32_t", Number::uint32},
    TypeName{"longlong", Number::int64},
    TypeName{"long long", Number::int64},
    TypeName{"long long int", Number::int64},
    TypeName{"signed long long", Number::int64},
    TypeName{"signed long long int", Number::int64},
    TypeName{"int64", Number::int64},
    TypeName{"int64_t", Number::int64},
    TypeName{"ulonglong", Number::uint64},
    TypeName{"unsigned long long", Number::uint64},
    TypeName{"unsigned long long int", Number::uint64},
    TypeName{"uint64", Number::uint64},
    TypeName{"uint64_t", Number::uint64},
    TypeName{"float", Number::float32},
    TypeName{"double", Number::float64},
};

std::string one_blank_apart(std::string_view text) {
  std::string joined;
  for (const std::string_view word : words_of(text))
    joined += (joined.empty() ? "" : " ") + std::string(word);
  return joined;
}

std::string_view needed(const NrrdHeader& header, std::string_view name, const fs::path& path) {
  const auto text = header.field(name);
  if (!text || text->empty())
    refuse(path, "its header does not state '{}'; it is damaged: copy or save it again", name);
  return *text;
}

Number number_of(const NrrdHeader& header, const fs::path& path) {
  const std::string name = lower_case(one_blank_apart(needed(header, "type", path)));
  const auto* const found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& type) { return type.name == name; });
  if (found == kTypes.end())
    refuse(path, "holds values of type '{}'; save it as whole numbers or floats", printable(name));
  return found->number;
}

void parse_sizes(NrrdHeader& header, const fs::path& path) {
  const std::string_view text = needed(header, "dimension", path);
  const auto dimension = parse_integer(text);
  if (!dimension || *dimension < 1 || *dimension > kMaxAxes)
    refuse(path, "states dimension {}, not 1 to {}; it is damaged: copy or save it again", printable(text),
           kMaxAxes);
  const std::string_view sizes = needed(header, "sizes", path);
  const auto parsed = parse_integers(sizes);
  if (!parsed || static_cast<std::int64_t>(parsed->size()) != *dimension)
    refuse(path, "states sizes '{}', but its dimension is {}; it is damaged: copy or save it again",
           printable(sizes.substr(0, 60)), *dimension);
  const auto bad = [](std::int64_t size) { return size < 1 || size > INT32_MAX; };
  if (std::any_of(parsed->begin(), parsed->end(), bad))
    refuse(path, "states sizes '{}', but each must be from 1 to {}; it is damaged: copy or save it again",
           printable(sizes), INT32_MAX);
  header.sizes = *parsed;
}

void parse_encoding(NrrdHeader& header, const fs::path& path) {
  const std::string name = lower_case(needed(header, "encoding", path));
  if (name == "raw") return;
  if (name == "gzip" || name == "gz") {
    header.packing = Packing::gzip;
  } else if (name == "ascii" || name == "text" || name == "txt") {
    header.writing = Writing::text;
  } else {
    const bool known = name == "hex" || name == "bzip2" || name == "bz2" || name == "zrl";
    refuse(path, "encoding '{}' is {}; save it with encoding raw or gzip", printable(name),
           known ? "not read here" : "not known");
  }
}

void parse_endian(NrrdHeader& header, const fs::path& path) {
  const std::string name = lower_case(header.field("endian").value_or(""));
  if (!name.empty() && name != "little" && name != "big")
    refuse(path, "states endian '{}', not little or big; it is damaged: copy or save it again",
           printable(name));
  const bool needs = bytes_of(header.type.number) > 1 && header.writing == Writing::binary;
  if (needs && name.empty())
    refuse(path,
           "does not state the byte order ('endian') of its {} values; it is damaged: copy or save it again",
           name_of(header.type.number));
  header.type.swapped = needs && name == "big";
}

std::int64_t skip_of(const NrrdHeader& header, std::string_view name, const fs::path& path) {
  const std::string_view text = header.field(name).value_or("0");
  const auto skip = parse_integer(text);
  const bool from_end =
      name == "byte skip" && header.writing == Writing::binary && header.packing == Packing::none;
  if (!skip || *skip < (from_end ? -1 : 0) || *skip > kMaxSkip)
    refuse(path, "states '{}: {}', which is impossible; it is damaged: copy or save it again", name,
           printable(text));
  return *skip;
}

void parse_data_file(NrrdHeader& header, const fs::path& path) {
  const auto name = header.field("data file");
  if (!name) return;
  if (name->empty()) refuse(path, "names no file of voxels; it is damaged: copy or save it again");
  if (*name == "LIST" || name->starts_with("LIST "))
    refuse(path, "lists several files of voxels, which is not supported; save it as one .nrrd");
  header.data_file = *name;
}

void parse_kinds(NrrdHeader& header, const fs::path& path) {
  header.kinds.resize(header.sizes.size());
  const auto words = words_of(header.field("kinds").value_or(""));
  if (words.empty()) return;
  if (words.size() != header.sizes.size())
    refuse(path, "states {} kinds for {} axes; it is damaged: copy or save it again", words.size(),
           header.sizes.size());
  for (std::size_t a = 0; a < words.size(); ++a) header.kinds[a] = lower_case(words[a]);
}

}  // namespace

bool looks_like_nrrd(std::span<const std::uint8_t> start) {
  constexpr std::string_view magic = "NRRD";
  return start.size() >= magic.size() && std::equal(magic.begin(), magic.end(), start.begin());
}

std::int64_t checked_product(const std::vector<std::int64_t>& sizes, const fs::path& path) {
  double product = 1;
  for (const std::int64_t size : sizes) product *= static_cast<double>(size);
  if (product > 9e17)
    refuse(path,
           "is damaged: its header declares {:.3g} voxels, which no file can hold; copy or save it again",
           product);
  std::int64_t exact = 1;
  for (const std::int64_t size : sizes) exact *= size;
  return exact;
}

NrrdHeader parse_nrrd(const Source& source) {
  NrrdHeader header = read_nrrd_lines(source);
  const fs::path& path = source.path();
  parse_sizes(header, path);
  header.type.number = number_of(header, path);
  parse_encoding(header, path);
  parse_endian(header, path);
  parse_data_file(header, path);
  parse_kinds(header, path);
  header.line_skip = skip_of(header, "line skip", path);
  header.byte_skip = skip_of(header, "byte skip", path);
  return header;
}

}  // namespace crema::files
