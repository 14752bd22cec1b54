// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cohort/find/selection.h"
#include "cohort/run/run_folder.h"
#include "crema/base/json_parse.h"
#include "crema/tables/settings.h"

namespace crema::cohort {

/// What a rater without a file of a case is: nobody, or somebody who marked nothing.
enum class Missing : std::uint8_t { skip, empty };

inline constexpr std::string_view kMissingWords = "skip|empty";

/// What is to be done with every case of a cohort.
struct CohortRequest {
  std::vector<const Method*> methods;
  Settings settings;
  bool images = true;    ///< each consensus is written
  bool bids = false;     ///< under names of BIDS
  bool reports = false;  ///< each case gets a page of its own
  Missing missing = Missing::skip;
  Json files = {};  ///< checksums of what settings name, by the name of the setting; null: nothing
};

/// The files that settings name for a case, without the segment of them that is meant.
std::vector<std::string> setting_files(const Settings& settings, const std::string& case_name);

/// The same for all cases: without those that each case has for itself.
std::vector<std::string> setting_files(const Settings& settings);

/// The raters of the cohort without a file of a case, where they count as empty masks; none where they do
/// not.
std::vector<std::string> empty_raters(const CohortRequest& request, const Cohort& cohort,
                                      const CohortCase& one);

/// Throws UsageError where nobody could tell which raters are missing.
void check_missing(const CohortRequest& request);

/// Makes the paths of files that settings name absolute and takes their checksums, so that whoever goes on
/// with the run elsewhere uses the same. Throws where one cannot be read.
void pin_files(CohortRequest& request);

/// Throws InputError where such a file has another content than it had then.
void check_files(const CohortRequest& request);

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
  Json data_set;         ///< where the data lie, and what of them was taken
  int fan_out = 0;       ///< as RunFolder has it
  bool persons = false;  ///< as Cohort has it
};

/// What distinguishes a run's data from others.
Json data_set_of(const Cohort& cohort, const Where& where);

/// Throws InputError where there is no run.
RunRecord read_run(const RunFolder& folder);
std::string run_text(const RunRecord& record);

/// Throws UsageError unless the folder is new, empty or of this run: with this identity, of these data.
/// `replace`: it may be of any run.
void check_folder(const RunFolder& folder, const RunRecord& record, bool replace);

}  // namespace crema::cohort
