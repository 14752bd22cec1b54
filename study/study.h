// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "study/runs.h"
#include "study/section.h"

/// The tables of the paper for anyone's cohort, from the tables that its runs left.
namespace crema::study {

struct Study {
  std::int64_t cases = 0;          ///< of the cohort
  std::vector<std::int64_t> done;  ///< per run
  std::vector<Section> sections;
};

/// Every section, those without rows included: they say what would make them. `background`: the masks of the
/// first run's cohort are read again for fig:1a and fig:1b.
Study make_study(const std::vector<OpenRun>& runs, bool background,
                 const std::function<void(std::size_t, std::size_t)>& progress);

/// All sections as one page of Markdown.
std::string study_page(const std::vector<OpenRun>& runs, const Study& study);

}  // namespace crema::study
