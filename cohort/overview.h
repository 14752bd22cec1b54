// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// All cases of a run at a glance, for whoever shows them: plain names and numbers.
namespace crema::cohort {

/// What one method made of one case.
struct MethodGlance {
  std::optional<double> kept, volume;      ///< components; cubic millimetres
  std::optional<double> lmsd;              ///< in the method's own distance
  std::optional<double> against_majority;  ///< size, in percent
  std::optional<double> dice;              ///< mean over the raters
};

/// One rater of one case, beside the consensus of the run's first method.
struct RaterGlance {
  std::uint32_t rater = 0;  ///< its place in Overview::raters
  std::optional<double> dice;
  std::optional<double> larger;  ///< volume against the consensus's, in percent
};

struct CaseGlance {
  enum class Status : std::uint8_t { missing, done, failed };
  std::string name;
  Status status = Status::missing;
  std::vector<std::string> missing_raters;
  std::int64_t raters = 0;
  // Of a case that failed:
  std::string failure, reason;  ///< its class; a sentence
  bool transient = false;
  // Of one that is done:
  std::optional<double> components, agreement, warnings;
  std::string farthest;               ///< the rater farthest from the others; empty: none
  std::vector<MethodGlance> methods;  ///< as Overview::methods
  std::vector<RaterGlance> beside;
  std::string report;  ///< path of its page from the folder of the run; empty: it has none
};

struct Overview {
  std::string version;
  std::vector<std::string> methods, raters;
  std::vector<CaseGlance> cases;  ///< in the order of their names
};

}  // namespace crema::cohort
