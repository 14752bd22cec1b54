// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "cohort/run/makers.h"
#include "cohort/run/result.h"
#include "crema/base/error.h"
#include "raters/read/grey_image.h"
#include "raters/run/run.h"

namespace crema::cohort {

/// The disk that results are written to refuses; no other case would fare better.
struct DiskError : FileError {
  using FileError::FileError;
};

/// What a case's own page is made of.
struct CaseMaterial {
  const CohortCase& one;
  const raters::Case& counted;  ///< raters bear the names that they have in the cohort
  const std::vector<raters::Outcome>& outcomes;
  const Settings& settings;
  const Json& identity;
  const Json& inputs;
  const raters::GreyImage* image;  ///< that raters drew on, on their grid; none: it is not known
  Warnings warnings;               ///< spelled
};

class Stamps;

/// What all cases of a run share.
struct RunContext {
  const Cohort& cohort;
  const CohortRequest& request;
  const RunFolder& folder;
  const Json& identity;
  bool retry = false;               ///< failures that will not go away by themselves, too
  std::function<bool()> stop = {};  ///< as raters::Hooks has it
  ReportMaker report = {};          ///< none: no page
  ThumbnailMaker thumbnail = {};    ///< none: no picture
  Stamps* stamps = nullptr;         ///< of the files of cases, gathered by this run
  const Stamps* before = nullptr;   ///< of an earlier run, which are trusted; none: everything is read
};

/// What became of a case: it was as it should be, is now, or has failed.
struct CaseOutcome {
  enum class Kind { kept, made, failed };
  Kind kind = Kind::kept;
  std::optional<CaseFailure> failure = {};
};

/// What raters are called: by their names in the cohort, and behind that the segment's where a file holds
/// several; `named` are paths, as a case that was read has them.
std::vector<std::string> rater_names(const Cohort& cohort, const CohortCase& one,
                                     const std::vector<std::string>& named);

/// The masks of a case, with the raters of the cohort who have no file where they count as empty masks.
raters::Case load_case(const Cohort& cohort, const CohortRequest& request, const CohortCase& one,
                       const Settings& settings, Needs needs, const raters::Hooks& hooks);

/// The image that the raters of a case drew on, where one is named. One that cannot be shown is a warning.
std::optional<raters::GreyImage> read_image(const Cohort& cohort, const CohortCase& one,
                                            const files::Header& reference, const Settings& settings,
                                            Warnings& warnings);

/// The settings of a case. Some cases of a cohort lack what others have: no label needs to occur in each.
Settings for_one_case(Settings settings, const CohortCase& one);

/// Does one case, on one thread, unless it is done. `work` is a folder of its own; `memory` the bytes that it
/// may take, 0 for the usual. Throws DiskError, Cancelled, and InputError where somebody has changed what a
/// result names; all else is a failure of the case and is written down beside a result that it may have.
CaseOutcome complete_case(const RunContext& run, const CohortCase& one, const std::filesystem::path& work,
                          std::int64_t memory);

}  // namespace crema::cohort
