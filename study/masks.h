// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cohort/run/run.h"
#include "raters/run/run.h"
#include "study/tables/runs.h"

namespace crema::study {

/// A case of a run, its masks read and counted once more.
struct CountedCase {
  const cohort::ReadyRun& run;
  const cohort::CohortCase& one;
  const raters::Case& counted;
  std::size_t number = 0;     ///< of the case, from 0
  std::size_t structure = 0;  ///< the one that is studied
  [[nodiscard]] const Reduction& reduction() const { return counted.reduction(structure); }
  /// The names that raters have in the cohort.
  [[nodiscard]] std::vector<std::string> raters() const;
};

using TakeCase = std::function<void(const CountedCase&)>;
using ShowProgress = std::function<void(std::size_t done, std::size_t all)>;

/// What reading left out.
struct LostCases {
  std::size_t cases = 0;             ///< of the cohort
  std::vector<std::string> unread;   ///< whose masks cannot be read any more
  std::vector<std::string> changed;  ///< whose masks are not those that the run fused

  /// Nothing where nothing is lost.
  [[nodiscard]] std::vector<std::string> sentences() const;
};

/// Reads the masks of a run's cohort once for all that want them.
/// `label`: the structure that is studied; empty: all of them.
LostCases read_masks(const cohort::ReadyRun& ready, const std::string& label,
                     const std::vector<TakeCase>& takers, const ShowProgress& progress);

}  // namespace crema::study
