// SPDX-License-Identifier: Apache-2.0
#include "files/nrrd/contradictions.h"

#include <algorithm>
#include <cmath>

#include "files/io/sentence.h"
#include "files/nrrd/vectors.h"

namespace crema::files {

namespace {

namespace fs = std::filesystem;

/// Lengths that differ by more are not the same written with fewer digits.
constexpr double kSameLength = 1e-4;

bool same_length(double a, double b) { return std::abs(a - b) <= kSameLength * std::abs(a); }

std::string quoted(const NrrdHeader& header, std::string_view field) {
  return fmt::format("{} '{}'", field, printable(header.field(field).value_or("").substr(0, 60)));
}

[[noreturn]] void refuse_both(const NrrdHeader& header, std::string_view one, std::string_view other,
                              const fs::path& path) {
  refuse(path, "states {}, but also {}, which contradicts it; delete the wrong field, or save it again",
         quoted(header, one), quoted(header, other));
}

void check_number(const NrrdHeader& header, const fs::path& path) {
  const auto number = header.field("number");
  if (number && parse_integer(*number) != checked_product(header.sizes, path))
    refuse_both(header, "sizes", "number", path);
}

void check_space_dimension(const NrrdHeader& header, const fs::path& path) {
  const auto stated = header.field("space dimension");
  if (!header.field("space") || !stated) return;
  const auto dimension = static_cast<std::int64_t>(nrrd_space_dimension(header, path));
  if (parse_integer(*stated) != dimension) refuse_both(header, "space", "space dimension", path);
}

/// Where an axis has a direction, that is its spacing; NaN says nothing beside it.
void check_beside_directions(const NrrdHeader& header, const NrrdVectors& directions, const fs::path& path) {
  const std::vector<double> spacings = nrrd_numbers(header, "spacings", path);
  for (std::size_t a = 0; a < directions.size(); ++a) {
    if (!directions[a]) continue;
    double square = 0;
    for (const double x : *directions[a]) square += x * x;
    if (!spacings.empty() && !std::isnan(spacings[a]) && !same_length(std::sqrt(square), spacings[a]))
      refuse_both(header, "space directions", "spacings", path);
    for (const std::string_view field : {"axis mins", "axis maxs"}) {
      const std::vector<double> ends = nrrd_numbers(header, field, path);
      if (!ends.empty() && !std::isnan(ends[a])) refuse_both(header, "space directions", field, path);
    }
  }
}

/// From end to end an axis has as many steps as samples, or one fewer where the ends are centres.
void check_ends(const NrrdHeader& header, const fs::path& path) {
  const std::vector<double> spacings = nrrd_numbers(header, "spacings", path),
                            low = nrrd_numbers(header, "axis mins", path),
                            high = nrrd_numbers(header, "axis maxs", path);
  if (spacings.empty() || low.empty() || high.empty()) return;
  for (std::size_t a = 0; a < spacings.size(); ++a) {
    const double length = std::abs(high[a] - low[a]), step = std::abs(spacings[a]);
    const auto samples = static_cast<double>(header.sizes[a]);
    if (std::isnan(length) || std::isnan(step)) continue;
    if (!same_length(length, step * samples) && !same_length(length, step * (samples - 1)))
      refuse_both(header, "spacings", "axis maxs", path);
  }
}

}  // namespace

void check_contradictions(const NrrdHeader& header, const fs::path& path) {
  check_number(header, path);
  check_space_dimension(header, path);
  const NrrdVectors directions = nrrd_directions(header, path);
  check_beside_directions(header, directions, path);
  if (directions.empty()) check_ends(header, path);
}

}  // namespace crema::files
