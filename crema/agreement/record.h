// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/fuse.h"

namespace crema {

/// A rater as the record tells of it. Measures take the consensus (level above 0.5) as the truth; 0/0 is 1.
struct RaterRecord {
  std::string file;
  std::int64_t voxels = 0;
  double volume_mm3 = 0;
  double precision = 1, recall = 1, f1 = 1;
  double detection_precision = 1, detection_recall = 1, detection_f1 = 1;
};

/// All that is written about one consensus; docs/formats.md has the schema.
struct Record {
  std::vector<std::string> command;
  std::vector<RaterRecord> raters;
  std::vector<std::string> notes;
  double seconds = 0;
  std::string output;
};

/// Fills in what the counts know of each rater.
std::vector<RaterRecord> describe_raters(const Reduction& reduction, const Solution& solution);

/// One JSON object per consensus. All solutions share the reduction.
std::string to_json(const Record& record, const Reduction& reduction, const Solution& solution,
                    const Options& options);

std::string_view version();

}  // namespace crema
