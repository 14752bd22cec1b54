// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "crema/agreement/compare_methods.h"
#include "crema/records/case_names.h"

/// Tables of methods and of pairs of them.
namespace crema {

/// Times of a whole case.
struct CaseTimes {
  double reading = 0, counting = 0;
};

/// A method's result as a row.
struct MethodTableRow {
  const CaseNames& names;
  const Reduction& reduction;
  const MethodRow& method;
  CaseTimes times = {};
};
Columns<MethodTableRow> method_columns(const CaseNames& names);
Table methods_table(const CaseNames& names, const Reduction& reduction, const std::vector<MethodRow>& rows,
                    const CaseTimes& times);

/// What two methods answer, as a row.
struct MethodPairRow {
  const CaseNames& names;
  const Reduction& reduction;
  const std::vector<MethodRow>& methods;
  const MethodPair& pair;
};
Columns<MethodPairRow> method_pair_columns(const CaseNames& names);
Table method_pairs_table(const CaseNames& names, const Reduction& reduction,
                         const std::vector<MethodRow>& rows, const std::vector<MethodPair>& pairs);

/// The columns of seconds, which differ from run to run.
inline constexpr std::array<std::string_view, 4> kTimeColumns{"read_s", "count_s", "solve_s", "write_s"};

}  // namespace crema
