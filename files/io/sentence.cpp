// SPDX-License-Identifier: Apache-2.0
#include "files/io/sentence.h"

#include <array>
#include <string_view>

#include "crema/base/text.h"

namespace crema::files {

std::string printable(const std::filesystem::path& path) { return crema::printable(path.string()); }

std::string shape(const Grid& grid) {
  if (grid.flat()) return fmt::format("{}×{}", grid.size[0], grid.size[1]);
  return fmt::format("{}×{}×{}", grid.size[0], grid.size[1], grid.size[2]);
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 6> units{"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 10000) return fmt::format("{:.0f} bytes", bytes);
  std::size_t unit = 0;
  double value = bytes / 1000;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace crema::files
