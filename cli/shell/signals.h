// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace crema::cli {

/// Makes the process safe to interrupt: SIGINT, SIGTERM and SIGHUP remove unfinished files and leave with
/// 130, 143 and 129; a closed pipe and a limit on the size of files are errors like any other; and the three
/// standard streams are open, if only to refuse.
void prepare_process();

/// A folder this run made; a signal that comes while it is still empty takes it away again.
void remove_on_signal(const std::filesystem::path& folder);

}  // namespace crema::cli
