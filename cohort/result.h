// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/cohort.h"
#include "cohort/request.h"
#include "crema/agreement/table.h"
#include "files/staged.h"

/// What a case leaves: result.json, or failure.json.
namespace crema::cohort {

/// The tables of a case, in the order in which they are written; the last one where several labels are fused.
inline constexpr std::array<std::string_view, 7> kTables{
    "cases", "methods", "raters", "components", "rater_pairs", "method_pairs", "joint"};
using CaseTables = std::array<Table, kTables.size()>;

/// What a case was made of: each file with its checksum; null where it cannot be read.
Json inputs_of(const Cohort& cohort, const CohortCase& one, const Settings& settings);

std::string result_text(const std::string& name, const Json& identity, const Json& inputs,
                        const std::vector<files::StagedSet::Fact>& outputs, const RunFolder& folder,
                        const std::vector<std::string>& warnings, const CaseTables& tables);

/// Why a case has no result.
struct CaseFailure {
  std::string kind;     ///< "input", "settings", "memory", "io", "disk" or "bug"
  std::string message;  ///< a sentence

  /// Whether it may go away by itself, so that the case is worth another try.
  [[nodiscard]] bool transient() const { return kind == "memory" || kind == "io" || kind == "disk"; }
};

std::string failure_text(const std::string& name, const Json& identity, const Json& inputs,
                         const CaseFailure& failure);

/// What is on the disk of a case.
struct CaseState {
  enum class Kind { missing, done, failed };
  Kind kind = Kind::missing;
  Json json;  ///< the result or the failure
};

/// Reads either. What is damaged counts as missing.
CaseState read_case(const RunFolder& folder, const std::string& name);
CaseFailure failure_in(const Json& json);

/// Whether a result or a failure is of this request and these inputs, and all outputs are there as they were
/// written.
bool fits(const Json& json, const Json& identity, const Json& inputs, const RunFolder& folder);

}  // namespace crema::cohort
