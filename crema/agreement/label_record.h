// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crema/agreement/records.h"
#include "crema/labels/joint.h"

namespace crema {

/// One consensus of several labels.
struct LabelFacts {
  const LabelConsensus& consensus;
  const Options& options;  ///< as it was solved with
  std::string output = {};
};

/// What is told of a consensus of several labels: each label alone, and all of them together.
Json label_record(const RunFacts& run, const Settings& settings, const LabelCounts& counts,
                  const LabelFacts& facts);

/// Disputes beyond this number are summed up instead of listed.
inline constexpr std::size_t kMaxListedDisputes = 1000;

}  // namespace crema
