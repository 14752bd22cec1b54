// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crema/agreement/background.h"
#include "crema/sentence.h"

namespace crema::cli {

/// What is known about a run of `crema background` besides its counts.
struct BackgroundRecord {
  std::vector<std::string> command;
  std::vector<std::string> raters;
  Warnings warnings;
  double seconds = 0;
};

/// One JSON object; docs/formats.md has the schema.
std::string to_json(const BackgroundRecord& record, const Reduction& reduction, const BackgroundStudy& study);

}  // namespace crema::cli
