// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cohort/merge/overview.h"
#include "cohort/merge/values.h"
#include "crema/base/json.h"

/// Measures of methods over the cases of a cohort, computed once for terminal and page.
namespace crema::cohort {

/// One method's measures in one case, or in one label of it.
struct MethodMeasures {
  std::string method, label;
  MethodGlance glance;
};

/// `methods` and `raters` are tables of a result.
std::vector<MethodMeasures> measures_in(const Json& methods, const Json& raters);

/// Gathers cases one by one, in memory that does not grow with them.
class Summariser {
 public:
  void add(const std::vector<MethodMeasures>& one);

  /// The unit that is true of all cases.
  [[nodiscard]] SizeUnit unit() const;

  /// In the order in which methods and labels came.
  [[nodiscard]] std::vector<MethodSummary> summaries() const;

 private:
  struct Gathered {
    std::string method, label;
    std::int64_t cases = 0;
    std::array<bool, 3> everywhere{true, true, true};  ///< whether all cases have that unit
    std::array<Values, 3> sizes = {};                  ///< by unit
    Values kept = {}, lmsd = {}, against_majority = {}, dice = {};
  };
  std::vector<Gathered> all_;
};

}  // namespace crema::cohort
