// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "cohort/run/request.h"
#include "study/chapters/facts.h"

namespace crema::study {

/// A run whose tables are to be read.
struct OpenRun {
  cohort::RunFolder folder;
  cohort::RunRecord record;
  std::string prior;  ///< as it was requested: "mean", "0.5", "500/N^1"
  std::int64_t margin = 0;
  std::string label = {};    ///< whose rows are read, where there are several
  bool every_label = false;  ///< there are several, and none was named
  std::size_t number = 0;    ///< of the run, from 0
};

/// Whether what is wanted of a run can be had of all its labels at once.
enum class LabelsWanted { one, every };

/// Opens runs of one cohort. Throws InputError or UsageError where one is no run, has not been merged, or
/// differs from the first in a setting that is no column of methods.csv; and where runs have several labels,
/// one is wanted, and `label` names none of them.
std::vector<OpenRun> open_runs(const std::vector<std::filesystem::path>& folders,
                               const std::string& label = "", LabelsWanted wanted = LabelsWanted::one);

/// What was seen on the way.
struct Seen {
  std::vector<Variant> variants;   ///< in the order in which they came
  std::int64_t cases = 0;          ///< of the cohort
  std::vector<std::int64_t> done;  ///< per run
};

/// Reads the tables of all runs side by side, one case at a time, and hands on what they hold of each. A
/// variant that several runs have is taken from the first. Throws InputError where runs have other cases.
Seen read_cases(const std::vector<OpenRun>& runs,
                const std::function<void(const Seen&, const CaseFacts&)>& take);

}  // namespace crema::study
