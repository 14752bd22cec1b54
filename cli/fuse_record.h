// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/shell/command.h"
#include "cli/text/summary.h"

namespace crema::cli {

/// One method: its record. Several: an object with the version, the command and the list of their records.
std::string record_text(const Session& session, const std::vector<std::string>& files, const Shared& shared,
                        const Reduction& reduction, const std::vector<Outcome>& outcomes);

}  // namespace crema::cli
