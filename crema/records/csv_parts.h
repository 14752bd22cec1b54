// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/records/table.h"

/// The parts of csv_text(), for tables that are written piece by piece.
namespace crema {

std::string csv_header(const std::vector<std::string>& columns);
std::string csv_rows(const std::vector<std::vector<Cell>>& rows);

}  // namespace crema
