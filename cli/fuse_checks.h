// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/fuse_run.h"

namespace crema::cli {

/// Throws UsageError on what makes no sense whatever the files hold: options
/// for a criterion when no method has one. Returns warnings about methods that an option cannot apply to.
Warnings check_request(const FuseRequest& request);

}  // namespace crema::cli
