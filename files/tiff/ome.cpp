// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/ome.h"

#include <algorithm>
#include <cmath>

#include "files/io/sentence.h"
#include "files/io/text_header.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;

/// A quotient, because decimal fractions divide more exactly than they multiply.
struct OmeUnit {
  std::string_view name;
  double times, over;
};

/// The Greek letter as the micro sign and as mu, and as XML may spell either.
constexpr std::array kOmeUnits{
    OmeUnit{"nm"sv, 1, 1e6},       OmeUnit{"\xC2\xB5m"sv, 1, 1e3}, OmeUnit{"\xCE\xBCm"sv, 1, 1e3},
    OmeUnit{"\xB5m"sv, 1, 1e3},    OmeUnit{"&#181;m"sv, 1, 1e3},   OmeUnit{"&#xB5;m"sv, 1, 1e3},
    OmeUnit{"&#xb5;m"sv, 1, 1e3},  OmeUnit{"&#956;m"sv, 1, 1e3},   OmeUnit{"&#x3BC;m"sv, 1, 1e3},
    OmeUnit{"&#x3bc;m"sv, 1, 1e3}, OmeUnit{"um"sv, 1, 1e3},        OmeUnit{"mm"sv, 1, 1},
    OmeUnit{"cm"sv, 10, 1},        OmeUnit{"m"sv, 1000, 1},
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The text between <Pixels and >, with or without a prefix of its namespace.
std::optional<std::string_view> pixels_tag(std::string_view text) {
  for (std::size_t at = text.find("Pixels"); at != std::string_view::npos; at = text.find("Pixels", at + 1)) {
    const std::size_t open = text.rfind('<', at);
    const std::string_view rest = text.substr(at + 6);
    if (open == std::string_view::npos || rest.empty() || !is_blank(rest.front())) continue;
    const std::string_view prefix = text.substr(open + 1, at - open - 1);
    if (!prefix.empty() && (prefix.back() != ':' || prefix.find_first_of(" \"'>/") != std::string_view::npos))
      continue;
    return rest.substr(0, rest.find('>'));
  }
  return {};
}

std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const std::string_view rest = trimmed(tag.substr(at + name.size()));
    if (at == 0 || !is_blank(tag[at - 1]) || !rest.starts_with('=')) continue;
    const std::string_view value = trimmed(rest.substr(1));
    if (value.empty() || (value[0] != '"' && value[0] != '\'')) continue;
    const std::size_t end = value.find(value[0], 1);
    if (end != std::string_view::npos) return value.substr(1, end - 1);
  }
  return {};
}

std::optional<double> number(std::string_view tag, std::string_view name) {
  const auto text = attribute(tag, name);
  const auto value = text ? parse_real(trimmed(*text)) : std::nullopt;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Micrometres where no unit is named, as OME has it.
const OmeUnit* unit_of(std::string_view name) {
  const auto* const unit = std::find_if(kOmeUnits.begin(), kOmeUnits.end(),
                                        [&](const OmeUnit& known) { return known.name == name; });
  return unit == kOmeUnits.end() ? nullptr : unit;
}

}  // namespace

std::optional<OmePixels> read_ome(std::string_view description, const std::filesystem::path& path) {
  if (description.find("<OME") == std::string_view::npos &&
      description.find(":OME") == std::string_view::npos)
    return {};
  const auto tag = pixels_tag(description);
  if (!tag) return {};
  OmePixels pixels;
  pixels.slices = number(*tag, "SizeZ");
  pixels.channels = number(*tag, "SizeC");
  pixels.instants = number(*tag, "SizeT");
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string name = std::string("PhysicalSize") + "XYZ"[a];
    const auto size = number(*tag, name);
    if (!size) continue;
    const std::string_view unit_name = attribute(*tag, name + "Unit").value_or("\xC2\xB5m");
    const OmeUnit* const unit = unit_of(trimmed(unit_name));
    if (unit != nullptr) {
      pixels.millimetres[a] = *size * unit->times / unit->over;
    } else {
      pixels.warnings.push_back({sentence(path, "states {} in '{}', a unit that is not known; it is not used",
                                          name, printable(std::string(unit_name.substr(0, 40)))),
                                 WarningKind::geometry});
    }
  }
  return pixels;
}

}  // namespace crema::files
