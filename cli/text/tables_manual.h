// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace crema::cli {

/// docs/tables.md: every table that is written, with its columns.
std::string tables_markdown();

}  // namespace crema::cli
