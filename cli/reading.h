// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/shell/options.h"
#include "files/files.h"

namespace crema::cli {

/// --threshold and --label, for every command that reads masks.
void declare_reading(CLI::App& app, files::ReadOptions& read);

}  // namespace crema::cli
