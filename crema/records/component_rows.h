// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "crema/reduction.h"
#include "crema/solution.h"

namespace crema {

/// The names of the columns, with a line feed. With labels the first column is the label.
std::string component_columns(bool labels);

/// One row of CSV per component, by its first voxel in raster order, numbered from 1; docs/formats.md has the
/// columns. `label` is the structure's, empty for a mask. `write` takes the text piece by piece: a million
/// rows are never held.
void write_components(const Reduction& reduction, const Solution& solution, const std::string& label,
                      const std::function<void(std::string_view)>& write);

}  // namespace crema
