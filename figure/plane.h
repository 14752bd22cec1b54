// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace crema::plot {

/// Values of the cells of a picture, row by row from the top, each row from the left.
template <class Value>
struct Plane {
  int width = 0, height = 0;
  std::vector<Value> values = {};

  Plane() = default;
  Plane(int columns, int rows, Value value = {})
      : width(columns),
        height(rows),
        values(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), value) {}

  [[nodiscard]] bool empty() const { return values.empty(); }
  [[nodiscard]] bool holds(int column, int row) const {
    return column >= 0 && column < width && row >= 0 && row < height;
  }
  typename std::vector<Value>::reference at(int column, int row) { return values[place(column, row)]; }
  typename std::vector<Value>::const_reference at(int column, int row) const {
    return values[place(column, row)];
  }

 private:
  [[nodiscard]] std::size_t place(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
  }
};

/// One value made of each.
template <class Value, class F>
auto mapped(const Plane<Value>& plane, F&& f) {
  Plane<decltype(f(plane.values.front()))> result(plane.width, plane.height);
  for (std::size_t i = 0; i < plane.values.size(); ++i) result.values[i] = f(plane.values[i]);
  return result;
}

}  // namespace crema::plot
