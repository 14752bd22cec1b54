// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cohort/cohort.h"
#include "cohort/run_folder.h"
#include "crema/agreement/json_parse.h"
#include "crema/agreement/study.h"
#include "crema/settings.h"

namespace crema::cohort {

/// What every case of a cohort is asked.
struct CohortRequest {
  std::vector<const Method*> methods;
  Settings settings;
  StudyOptions study;
  bool images = true;    ///< each consensus is written
  bool bids = false;     ///< under names of BIDS
  bool reports = false;  ///< each case gets a page of its own
};

/// Everything of it that a result depends on, and the version; two runs with the same identity make the same
/// bytes.
Json identity_of(const CohortRequest& request);

/// The value of a setting in an identity, as somebody would type it.
std::string typed(const Json& value);

/// The request that has this identity. Throws InputError where a setting is not known.
CohortRequest request_from(const Json& identity);

/// What run.json holds.
struct RunRecord {
  Json identity;
  Layout layout = Layout::manifest;
  std::filesystem::path root;
};

/// Throws InputError where there is no run.
RunRecord read_run(const RunFolder& folder);
std::string run_text(const RunRecord& record);

/// Throws UsageError unless the folder is new, empty or of a run with this identity. `replace`: it may be of
/// any run.
void check_folder(const RunFolder& folder, const Json& identity, bool replace);

}  // namespace crema::cohort
