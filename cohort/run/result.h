// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/find/cohort.h"
#include "cohort/run/makers.h"
#include "cohort/run/request.h"
#include "crema/records/table.h"
#include "files/staged.h"

/// What a case leaves: result.json, or failure.json.
namespace crema::cohort {

/// The tables of a case, in the order in which they are written; the last one where several labels are fused.
inline constexpr std::array<std::string_view, 9> kTables{"cases",        "methods",          "raters",
                                                         "components",   "component_raters", "rater_pairs",
                                                         "method_pairs", "review",           "joint"};
using CaseTables = std::array<Table, kTables.size()>;

/// What a case was made of.
struct CaseInputs {
  Json list;  ///< each file with its checksum, null where it cannot be read; without a path: no file, an
              ///< empty mask
  std::string away;  ///< why one of them cannot be found or read now, a sentence; empty: they are all there
};
CaseInputs inputs_of(const Cohort& cohort, const CohortCase& one, const CohortRequest& request);

/// What is reported of a case beside its images.
struct ResultFacts {
  const Warnings& warnings;
  CaseTables tables;
  Thumbnail thumbnail = {};
};

void add_thumbnail(Json& json, const Thumbnail& thumbnail);

/// Ends with a checksum of itself, as a failure does.
std::string result_text(const CohortCase& one, const Json& identity, const Json& inputs,
                        const std::vector<files::StagedSet::Fact>& outputs, const RunFolder& folder,
                        const ResultFacts& facts);

/// The text of an object with a checksum of all that stands before it as its last member.
std::string sealed(std::string text);
/// Nothing where there is none, where it is damaged, or does not have the checksum that it names.
std::optional<Json> unsealed(std::string_view text);
std::optional<Json> read_sealed(const std::filesystem::path& path);

/// The checksum that such a text ends with.
std::string seal_of(std::string_view text);

/// The outputs that a result names.
std::vector<std::filesystem::path> output_paths(const Json& result, const RunFolder& folder);

/// The same for what reads them. Throws InputError where one is not as the run wrote it any more.
std::vector<std::filesystem::path> sound_outputs(const Json& result, const RunFolder& folder);

/// The warnings of a result.
Warnings warnings_in(const Json& result);

/// Why a case has no result.
struct CaseFailure {
  std::string kind;     ///< "away", "input", "settings", "memory", "io", "disk" or "bug"
  std::string message;  ///< a sentence

  /// Whether it may go away by itself, so that the case is worth another try.
  [[nodiscard]] bool transient() const {
    return away() || kind == "memory" || kind == "io" || kind == "disk";
  }
  /// Whether its files cannot be found or read now, so that nothing is known against an older result.
  [[nodiscard]] bool away() const { return kind == "away"; }
};

std::string failure_text(const std::string& name, const Json& identity, const Json& inputs,
                         const CaseFailure& failure);

/// A case's result or failure. Nothing where there is none, where it is damaged, or where it was changed: it
/// does not have the checksum that it names. Throws InputError where a result names an output that is not the
/// case's own.
std::optional<Json> read_result(const RunFolder& folder, const std::string& name);
std::optional<Json> read_failure(const RunFolder& folder, const std::string& name);
CaseFailure failure_in(const Json& json);

/// What is on the disk of a case for a run of that identity.
struct CaseState {
  enum class Kind { missing, done, failed };
  Kind kind = Kind::missing;
  Json result = {};                         ///< of a case that is done
  std::optional<CaseFailure> failure = {};  ///< of one that failed, or that is done and whose files are away
};
CaseState state_of(const RunFolder& folder, const std::string& name, const Json& identity);

/// Removes a result with those of its outputs that are as they were written. What has another checksum is
/// somebody's own and stays.
void remove_result(const RunFolder& folder, const std::string& name);

/// Whether a result or a failure is of this request and these inputs, and all outputs are there as they were
/// written.
bool fits(const Json& json, const Json& identity, const Json& inputs, const RunFolder& folder);

}  // namespace crema::cohort
