// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace crema::study {

/// The intraclass correlations of McGraw and Wong: raters without identity (one-way), raters as a random
/// sample with absolute agreement, and the same up to what each rater adds to every case.
enum class IccForm : std::uint8_t { one_way, agreement, consistency };

/// Of one rater, or of the mean of all.
enum class IccUnit : std::uint8_t { single, mean };

/// "ICC(1,1)", "ICC(A,k)" …
const char* to_string(IccForm form, IccUnit unit);

struct Icc {
  std::int64_t cases = 0;
  double raters = 0;  ///< where cases have different numbers of them, the number that one-way analysis takes
  double value = 0;
  std::optional<double> low = {}, high = {};  ///< of the 95 % interval; none where raters agree exactly
};

/// One value of each rater in a case.
using CaseValues = std::vector<double>;

/// None for fewer than two cases or raters, and where all values are equal. The one-way form takes cases with
/// different numbers of raters, one included; the others want the same raters in each.
std::optional<Icc> icc(const std::vector<CaseValues>& cases, IccForm form, IccUnit unit);

}  // namespace crema::study
