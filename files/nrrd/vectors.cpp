// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/vectors.h"

#include <algorithm>
#include <cmath>

#include "files/io/sentence.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

std::optional<std::vector<double>> parse_coordinates(std::string_view text) {
  std::vector<double> vector;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto value = parse_real(trimmed(text.substr(0, comma)));
    if (!value) return {};
    vector.push_back(*value);
    if (comma == text.size()) return vector;
    text.remove_prefix(comma + 1);
  }
}

void check_vector(const std::vector<double>& vector, std::size_t dimension, std::string_view field,
                  const fs::path& path) {
  if (vector.size() != dimension)
    refuse(path, "its {} has {} coordinates, but its space has {}; it is damaged: copy or save it again",
           field, vector.size(), dimension);
  if (!std::all_of(vector.begin(), vector.end(), [](double x) { return std::isfinite(x); }))
    refuse(path, "its {} is NaN or infinite; it is damaged: copy or save it again", field);
}

/// The vectors of a field, every one of them sound.
NrrdVectors vectors_of(const NrrdHeader& header, std::string_view field, std::size_t count,
                       const fs::path& path) {
  const auto text = header.field(field);
  if (!text) return {};
  const auto vectors = parse_vectors(*text);
  if (!vectors)
    refuse(path, "its {} is '{}'; it is damaged: copy or save it again", field,
           printable(text->substr(0, 60)));
  if (vectors->size() != count)
    refuse(path, "its {} holds {} vectors instead of {}; it is damaged: copy or save it again", field,
           vectors->size(), count);
  const std::size_t dimension = nrrd_space_dimension(header, path);
  for (const auto& vector : *vectors) {
    if (vector) check_vector(*vector, dimension, field, path);
  }
  return *vectors;
}

}  // namespace

std::optional<NrrdVectors> parse_vectors(std::string_view text) {
  NrrdVectors vectors;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    if (lower_case(text.substr(0, 4)) == "none") {
      vectors.emplace_back();
      text.remove_prefix(4);
      continue;
    }
    const std::size_t close = text.find(')');
    if (text.front() != '(' || close == std::string_view::npos) return {};
    vectors.push_back(parse_coordinates(text.substr(1, close - 1)));
    if (!vectors.back()) return {};
    text.remove_prefix(close + 1);
  }
  return vectors;
}

std::size_t nrrd_space_dimension(const NrrdHeader& header, const fs::path& path) {
  const auto space = header.field("space"), dimension = header.field("space dimension");
  if (space && space->size() <= 4) {
    const std::string name = lower_case(*space);
    if (name == "rast" || name == "last" || name == "lpst") return 4;
  }
  if (space) return lower_case(*space).ends_with("-time") ? 4 : 3;
  if (!dimension) return 0;
  const auto value = parse_integer(*dimension);
  if (!value || *value < 1 || *value > 8)
    refuse(path, "states space dimension '{}'; it is damaged: copy or save it again", printable(*dimension));
  return static_cast<std::size_t>(*value);
}

std::vector<double> nrrd_numbers(const NrrdHeader& header, std::string_view field, const fs::path& path) {
  const auto text = header.field(field);
  if (!text) return {};
  const auto numbers = parse_reals(*text);
  if (!numbers || numbers->size() != header.sizes.size())
    refuse(path, "states {} '{}' for {} axes; it is damaged: copy or save it again", field,
           printable(text->substr(0, 60)), header.sizes.size());
  return *numbers;
}

NrrdVectors nrrd_directions(const NrrdHeader& header, const fs::path& path) {
  return vectors_of(header, "space directions", header.sizes.size(), path);
}

std::optional<std::vector<double>> nrrd_origin(const NrrdHeader& header, const fs::path& path) {
  const NrrdVectors origin = vectors_of(header, "space origin", 1, path);
  return origin.empty() ? std::nullopt : origin.front();
}

}  // namespace crema::files
