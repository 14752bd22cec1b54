// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "crema/image/grid.h"

/// Masks drawn as text: '.' or ' ' is outside, anything else inside; one string per row; slices are
/// separated by a row "-".
namespace ascii {

struct Drawing {
  crema::Grid grid;
  std::vector<char> cells;
};

inline Drawing draw(std::initializer_list<std::string_view> rows) {
  Drawing drawing;
  int height = 0, slices = 1;
  for (const auto row : rows) {
    if (row == "-") {
      ++slices;
      continue;
    }
    drawing.grid.size[0] = static_cast<std::int32_t>(row.size());
    ++height;
    drawing.cells.insert(drawing.cells.end(), row.begin(), row.end());
  }
  drawing.grid.size[1] = height / slices;
  drawing.grid.size[2] = slices;
  return drawing;
}

inline std::vector<std::uint8_t> mask(std::initializer_list<std::string_view> rows) {
  std::vector<std::uint8_t> result;
  for (const char c : draw(rows).cells) result.push_back(c == '.' || c == ' ' ? 0 : 1);
  return result;
}

inline crema::Grid grid(std::initializer_list<std::string_view> rows) { return draw(rows).grid; }

/// A number per voxel as one character each, -1 as '.', for comparing pictures in failure messages.
template <class Numbers>
std::string picture(const crema::Grid& grid, const Numbers& numbers) {
  std::string text = "\n";
  std::size_t v = 0;
  for (int z = 0; z < grid.size[2]; ++z) {
    if (z > 0) text += "-\n";
    for (int y = 0; y < grid.size[1]; ++y) {
      for (int x = 0; x < grid.size[0]; ++x, ++v) {
        const auto n = static_cast<int>(numbers[v]);
        text += n < 0 ? '.' : n < 10 ? static_cast<char>('0' + n) : static_cast<char>('a' + n - 10);
      }
      text += '\n';
    }
  }
  return text;
}

inline std::string picture(std::initializer_list<std::string_view> rows) {
  std::string text = "\n";
  for (const auto row : rows) text += std::string(row) + '\n';
  return text;
}

}  // namespace ascii
