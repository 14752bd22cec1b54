// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/spacing.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

using namespace std::string_view_literals;
using Path = std::filesystem::path;

struct Unit {
  std::string_view name;
  double millimetres;
};

/// As ImageJ writes them; the Greek letter in Latin-1, in its own escape and in UTF-8.
constexpr std::array kUnits{
    Unit{"mm"sv, 1},          Unit{"millimeter"sv, 1}, Unit{"cm"sv, 10},          Unit{"um"sv, 1e-3},
    Unit{"micron"sv, 1e-3},   Unit{"microns"sv, 1e-3}, Unit{"nm"sv, 1e-6},        Unit{"inch"sv, 25.4},
    Unit{"\\u00B5m"sv, 1e-3}, Unit{"\xB5m"sv, 1e-3},   Unit{"\xC2\xB5m"sv, 1e-3}, Unit{"m"sv, 1000},
};

/// The text after "key=" at the start of a line.
std::optional<std::string_view> value_of(std::string_view description, std::string_view key) {
  for (std::size_t at = 0; at < description.size();) {
    const std::size_t end = std::min(description.find('\n', at), description.size());
    std::string_view line = description.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == '=')
      return line.substr(key.size() + 1);
  }
  return {};
}

std::optional<double> number_of(std::optional<std::string_view> text) {
  if (!text) return {};
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  const bool sound = error == std::errc() && end == text->data() + text->size() && std::isfinite(number);
  return sound ? std::optional(number) : std::nullopt;
}

/// The number in key="12", as XML has it.
std::optional<double> attribute_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + key.size());
  return number_of(rest.substr(0, rest.find('"')));
}

double unit_of(const TiffResolution& resolution) {
  if (resolution.unit == 2) return 25.4;
  if (resolution.unit == 3) return 10;
  const auto name = value_of(resolution.description, "unit");
  const auto* const unit =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return name && u.name == *name; });
  return unit == kUnits.end() ? 0 : unit->millimetres;
}

/// Lengths no image has are taken as not said.
bool sensible(double millimetres) { return millimetres >= 1e-7 && millimetres <= 1e4; }

/// To the seven digits that a resolution is handed over with.
double rounded(double value) {
  const double scale = std::pow(10, 6 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

}  // namespace

TiffSpacing tiff_spacing(const TiffResolution& resolution, std::size_t pages, const Path& path) {
  TiffSpacing spacing;
  const double unit = unit_of(resolution);
  const std::array lengths{unit / resolution.across, unit / resolution.down};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (sensible(lengths[i])) spacing.millimetres[i] = rounded(lengths[i]);
  }
  if (pages == 1) return spacing;
  const double named = unit_of({0, 0, 1, resolution.description});
  const double apart =
      number_of(value_of(resolution.description, "spacing")).value_or(0) * (named > 0 ? named : unit);
  if (sensible(apart)) {
    spacing.millimetres[2] = rounded(apart);
  } else {
    spacing.warnings.push_back(sentence(path, "does not say how far its pages lie apart; 1 mm is assumed"));
  }
  return spacing;
}

void check_description(std::string_view description, std::size_t pages, const Path& path) {
  const bool imagej = description.starts_with("ImageJ=");
  const auto images = imagej ? number_of(value_of(description, "images")) : std::nullopt;
  if (images && *images != static_cast<double>(pages)) {
    refuse(path, "says that it holds {} images, but has {} page{}; save it again, as BigTIFF if it is large",
           *images, pages, pages == 1 ? "" : "s");
  }
  constexpr std::array<std::array<std::string_view, 3>, 2> axes{
      {{"channels", " SizeC=\"", "channels"}, {"frames", " SizeT=\"", "points in time"}}};
  for (const auto& [line, attribute, what] : axes) {
    const double count = imagej ? number_of(value_of(description, line)).value_or(1)
                                : attribute_of(description, attribute).value_or(1);
    if (count > 1) refuse(path, "holds {} {}, but a mask has one; export one of them", count, what);
  }
  if (description.find("\"truncated\": true") != std::string_view::npos) {
    refuse(path, "says that not every slice has a page of its own; save it again with one page per slice");
  }
}

}  // namespace crema::files
