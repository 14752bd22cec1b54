// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crema/agreement/overlap.h"
#include "crema/fuse.h"

namespace crema {

/// What the caller knows about a run and the counts do not.
struct Record {
  std::vector<std::string> command;
  std::vector<std::string> files;  ///< one per rater; may be empty
  std::string output;
  std::vector<std::string> notes;
  double seconds = 0;
};

/// One JSON object about one consensus; docs/formats.md has the schema.
std::string to_json(const Record& record, const Reduction& reduction, const Solution& solution,
                    const Options& options);

std::string_view version();

}  // namespace crema
