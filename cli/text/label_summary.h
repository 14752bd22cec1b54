// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "raters/labels.h"

namespace crema::cli {

/// One method's part in a run of several labels, and where it went.
struct LabelFuseResult {
  raters::LabelOutcome outcome;
  std::filesystem::path image;  ///< empty: not written
  double writing = 0;           ///< seconds
};

/// What is said before the methods are asked: raters, grid, labels.
std::string label_summary_head(const raters::LabelCase& counted);

/// For each method what became of each label, what was disputed between them and how it was settled.
std::string label_summary(const std::vector<LabelFuseResult>& results, const raters::LabelCase& counted,
                          double seconds);

}  // namespace crema::cli
