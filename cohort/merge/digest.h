// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cohort/merge/summary.h"
#include "cohort/run/result.h"
#include "crema/agreement/review/review.h"

/// What page and terminal report of a case: a few numbers, which a shard leaves beside its tables so that
/// nobody has to read the case's result again.
namespace crema::cohort {

/// All tables of a run: those of cases, then failures and times.
inline constexpr std::size_t kFailures = kTables.size(), kTimes = kFailures + 1, kTableFiles = kTimes + 1;

/// One rater beside the consensus of the first method.
struct RaterDigest {
  std::string rater;
  std::optional<double> dice, larger;
};

/// A case that is done, or one label of it.
struct LabelDigest {
  std::string label;
  std::optional<double> components, agreement, warnings;
  std::string farthest;
  std::vector<RaterDigest> beside = {};
};

/// A decision to look at again; review.csv has the rest of its row.
struct FindingDigest {
  std::string label;
  ReviewReason reason = ReviewReason::zone;
  std::string words;
  std::int64_t component = 0, voxels = 0;
  double fall = 0;
};

/// The warnings of one kind in a case.
struct KindDigest {
  WarningKind kind = WarningKind::other;
  std::int64_t warnings = 0;
  std::vector<std::string> raters = {};  ///< whose files they are about, as far as they name one
};

struct CaseDigest {
  std::string name;
  CaseState::Kind kind = CaseState::Kind::missing;
  std::optional<CaseFailure> failure = {};
  std::vector<std::string> missing = {};  ///< raters
  std::int64_t raters = 0;
  std::vector<LabelDigest> labels = {};  ///< one at least where it is done
  std::vector<MethodMeasures> measures = {};
  std::vector<KindDigest> kinds = {};
  std::vector<std::string> defects = {};  ///< sentences, of the first kinds in turn
  std::vector<WarningKind> defect_kinds = {};
  std::vector<FindingDigest> findings = {};  ///< of all labels, each in its order
  Thumbnail thumbnail = {};
  std::string result = {};                        ///< the checksum of the result
  std::array<std::int64_t, kTableFiles> bytes{};  ///< of its rows in each table
};

/// Takes the numbers of a result; `method` is the run's first.
void take_result(CaseDigest& digest, const Json& result, std::string_view method);

/// On one line, with its end. Reading it gives the same digest; throws InputError where it is none.
std::string digest_line(const CaseDigest& digest);
CaseDigest digest_in(std::string_view line);

}  // namespace crema::cohort
