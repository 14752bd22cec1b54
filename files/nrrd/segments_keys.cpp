// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "files/affine.h"
#include "files/io/sentence.h"
#include "files/nrrd/segments.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "Segment";

/// The number N in "SegmentN_ID", or nothing.
std::optional<std::int64_t> segment_number(std::string_view key) {
  if (!key.starts_with(kPrefix) || !key.ends_with("_ID")) return {};
  const std::string_view digits = key.substr(kPrefix.size(), key.size() - kPrefix.size() - 3);
  if (digits.empty() || digits.front() == '-' || digits.front() == '+') return {};
  return parse_integer(digits);
}

std::optional<std::string_view> key_of(const NrrdHeader& header, std::int64_t number, std::string_view key) {
  return find_entry(header.pairs, fmt::format("{}{}_{}", kPrefix, number, key));
}

std::int64_t whole_number(const NrrdHeader& header, std::int64_t number, std::string_view key,
                          std::int64_t otherwise, const fs::path& path) {
  const auto text = key_of(header, number, key);
  if (!text) return otherwise;
  const auto value = parse_integer(trimmed(*text));
  if (!value)
    refuse(path, "Segment{}_{} is '{}', which is not a whole number; it is damaged: copy or save it again",
           number, key, printable(text->substr(0, 20)));
  return *value;
}

Segment parse_segment(const NrrdHeader& header, std::int64_t number, std::int64_t layers,
                      const fs::path& path) {
  Segment segment;
  segment.id = key_of(header, number, "ID").value_or("");
  segment.name = key_of(header, number, "Name").value_or(segment.id);
  if (segment.name.empty()) segment.name = segment.id;
  segment.colour = key_of(header, number, "Color").value_or("");
  // Files from before layers were shared have one layer per segment and no such keys.
  const std::int64_t usual = layers > 1 ? number : 0;
  segment.layer = whole_number(header, number, "Layer", usual, path);
  const std::int64_t label = whole_number(header, number, "LabelValue", 1, path);
  segment.label = static_cast<double>(label);
  if (label == 0)
    refuse(path, "segment '{}' has the label value 0, which is the background; save it again",
           printable(segment.name));
  if (segment.layer < 0 || segment.layer >= layers)
    refuse(path,
           "segment '{}' lies in layer {}, but there are {}, counted from 0; it is damaged: copy or save it "
           "again",
           printable(segment.name), segment.layer, layers);
  return segment;
}

void check_distinct(const std::vector<Segment>& segments, const fs::path& path) {
  std::map<std::string, int> ids;
  std::map<std::pair<std::int64_t, double>, const Segment*> places;
  for (const Segment& segment : segments) {
    if (ids[segment.id]++ > 0)
      refuse(path, "has two segments with the id '{}'; it is damaged: copy or save it again",
             printable(segment.id));
    const auto [place, fresh] = places.try_emplace({segment.layer, segment.label}, &segment);
    if (!fresh)
      refuse(path,
             "segments '{}' and '{}' share layer {} and label value {}; it is damaged: copy or save it again",
             printable(place->second->name), printable(segment.name), segment.layer, segment.label);
  }
}

/// The 16 numbers of a matrix and the 6 of an extent, each followed by a semicolon.
std::optional<std::vector<double>> reference_numbers(const NrrdHeader& header) {
  const auto parameters = find_entry(header.pairs, "Segmentation_ConversionParameters");
  if (!parameters) return {};
  constexpr std::string_view name = "Reference image geometry|";
  const std::size_t at = parameters->find(name);
  if (at == std::string_view::npos) return {};
  std::string text(parameters->substr(at + name.size()));
  text.resize(std::min(text.find('|'), text.size()));
  std::replace(text.begin(), text.end(), ';', ' ');
  auto numbers = parse_reals(text);
  if (!numbers || numbers->size() != 22) return {};
  return numbers;
}

}  // namespace

bool has_segments(const NrrdHeader& header) {
  return std::any_of(header.pairs.begin(), header.pairs.end(),
                     [](const Entry& pair) { return segment_number(pair.name).has_value(); });
}

std::vector<Segment> parse_segments(const NrrdHeader& header, std::int64_t layers, const fs::path& path) {
  std::vector<std::int64_t> numbers;
  for (const Entry& pair : header.pairs) {
    if (const auto number = segment_number(pair.name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  if (const auto twice = std::adjacent_find(numbers.begin(), numbers.end()); twice != numbers.end())
    refuse(path, "states Segment{}_ID twice; it is damaged: copy or save it again", *twice);
  std::vector<Segment> segments;
  for (const std::int64_t number : numbers) segments.push_back(parse_segment(header, number, layers, path));
  check_distinct(segments, path);
  return segments;
}

std::optional<Grid> reference_grid(const NrrdHeader& header, const Grid& stored) {
  constexpr double tolerated = 0.1;  // of a voxel, as between raters
  const auto numbers = reference_numbers(header);
  if (!numbers) return {};
  Affine stated;
  for (std::size_t i = 0; i < 12; ++i)
    (i % 4 == 3 ? stated.shift[i / 4] : stated.matrix[3 * (i / 4) + i % 4]) = (*numbers)[i];
  const auto to_voxels = inverse(stated);
  if (!to_voxels) return {};
  const Affine own = affine_of(stored);
  const Affine map = compose(*to_voxels, own);
  Affine shift_only;
  Vec low{};
  Grid grid = stored;
  for (std::size_t a = 0; a < 3; ++a) {
    const double first = (*numbers)[16 + 2 * a], last = (*numbers)[17 + 2 * a];
    shift_only.shift[a] = std::round(map.shift[a]);
    low[a] = first - shift_only.shift[a];
    const double size = last - first + 1;
    if (!(low[a] <= 0 && size >= stored.size[a] - low[a] && size <= INT32_MAX)) return {};
    grid.size[a] = static_cast<std::int32_t>(size);
  }
  if (corner_displacement(map, shift_only, stored.size) > tolerated) return {};
  if (low != Vec{0, 0, 0}) grid.origin = own(low);
  return grid;
}

}  // namespace crema::files
