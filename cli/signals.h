// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace crema::cli {

/// Makes the process safe to interrupt: SIGINT and SIGTERM remove unfinished files and leave with 130 and
/// 143, a closed pipe is an error like any other, and the three standard streams are open, if only to refuse.
void prepare_process();

/// A folder this run made; a signal that comes while it is still empty takes it away again.
void remove_on_signal(const std::filesystem::path& folder);

}  // namespace crema::cli
