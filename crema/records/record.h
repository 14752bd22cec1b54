// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/fuse.h"

namespace crema {

/// One consensus as a JSON object, the same that the program writes; docs/formats.md has the schema. `raters`
/// are their names and may be empty.
std::string to_json(const Consensus& consensus, const Options& options,
                    const std::vector<std::string>& raters = {});

}  // namespace crema
