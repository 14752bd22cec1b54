// SPDX-License-Identifier: Apache-2.0
#include "files/tiff/spacing.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "crema/base/text.h"
#include "files/io/sentence.h"
#include "files/tiff/ome.h"

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

/// Along x and y, by the tags of resolution; 0 where nothing sensible is said.
std::array<double, 2> by_resolution(const TiffResolution& resolution) {
  const double unit = unit_of(resolution);
  std::array lengths{unit / resolution.across, unit / resolution.down};
  for (double& length : lengths) length = sensible(length) ? rounded(length) : 0;
  return lengths;
}

/// The distance of slices as ImageJ states it; 0 where nothing sensible is said.
double by_imagej(const TiffResolution& resolution) {
  const double named = unit_of({0, 0, 1, resolution.description});
  const double apart = number_of(value_of(resolution.description, "spacing")).value_or(0) *
                       (named > 0 ? named : unit_of(resolution));
  return sensible(apart) ? rounded(apart) : 0;
}

void warn_of_resolution(TiffSpacing& spacing, const OmePixels& ome, const std::array<double, 2>& other,
                        const Path& path) {
  constexpr double same = 0.01;
  for (std::size_t a = 0; a < 2; ++a) {
    const double stated = ome.millimetres[a].value_or(0);
    if (!sensible(stated) || other[a] == 0 || std::abs(other[a] / stated - 1) <= same) continue;
    spacing.warnings.push_back({sentence(path,
                                         "its OME description says {:.6g} mm along axis {}, but its "
                                         "resolution {:.6g} mm; the former is used",
                                         stated, a + 1, other[a]),
                                WarningKind::geometry});
  }
}

}  // namespace

TiffSpacing tiff_spacing(const TiffResolution& resolution, std::size_t pages, const Path& path) {
  TiffSpacing spacing;
  const OmePixels ome = read_ome(resolution.description, path).value_or(OmePixels{});
  const std::array<double, 2> other = by_resolution(resolution);
  const std::array<double, 3> lengths{other[0], other[1], by_imagej(resolution)};
  spacing.warnings = ome.warnings;
  warn_of_resolution(spacing, ome, other, path);
  spacing.measured = true;
  for (std::size_t a = 0; a < (pages == 1 ? 2u : 3u); ++a) {
    const double stated = ome.millimetres[a].value_or(0);
    const double length = sensible(stated) ? stated : lengths[a];
    spacing.measured = spacing.measured && length > 0;
    if (length > 0) spacing.millimetres[a] = length;
    if (length == 0 && a == 2)
      spacing.warnings.push_back(
          {sentence(path, "does not state the distance between its pages; 1 mm is assumed"),
           WarningKind::geometry});
  }
  return spacing;
}

void check_description(std::string_view description, std::size_t pages, const Path& path) {
  const bool imagej = description.starts_with("ImageJ=");
  const OmePixels ome = read_ome(description, path).value_or(OmePixels{});
  const auto counted = [&](std::string_view line, const std::optional<double>& stated) {
    return imagej ? number_of(value_of(description, line)) : stated;
  };
  const std::array axes{std::pair{counted("channels", ome.channels), "channels"sv},
                        std::pair{counted("frames", ome.instants), "points in time"sv}};
  for (const auto& [count, what] : axes) {
    if (count.value_or(1) > 1)
      refuse(path, "holds {} {}, but a mask has one; export one of them", *count, what);
  }
  const auto images = counted("images", ome.slices);
  if (images && *images != static_cast<double>(pages)) {
    refuse(path, "states {} images, but has {}; save it again, as BigTIFF if it is large", *images,
           crema::counted(pages, "page"));
  }
  if (description.find("\"truncated\": true") != std::string_view::npos) {
    refuse(path, "states that some slices have no page; save it again with one page per slice");
  }
}

}  // namespace crema::files
