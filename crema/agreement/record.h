// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crema/agreement/overlap.h"
#include "crema/fuse.h"
#include "crema/sentence.h"
#include "crema/weights.h"

namespace crema {

/// What the caller knows about a run and the counts do not.
struct Record {
  std::vector<std::string> command;
  std::vector<std::string> files;  ///< one per rater; may be empty
  std::string output;
  Warnings warnings;
  double seconds = 0;
  std::optional<WeightSearch> weight_search = {};  ///< where the weights came from, if they were searched for
};

/// One JSON object about one consensus; docs/formats.md has the schema.
std::string to_json(const Record& record, const Reduction& reduction, const Solution& solution,
                    const Options& options);

std::string_view version();

}  // namespace crema
