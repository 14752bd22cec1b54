// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace crema::cli {

/// How good a consensus is known to be.
struct Certified {
  double lmsd = 0;
  double lower_bound = 0;
  std::size_t components = 0;
  std::size_t unproven = 0;  ///< components whose proof ran out of budget
  std::int64_t outside = 0;  ///< voxels that no rater drew and no criterion sees
};

/// 0 where it is nothing but rounding.
double gap_of(const Certified& certified);
std::string gap_text(const Certified& certified);

/// "at most 0.09 % above the best possible"; percentages are rounded up, so that "at most" holds. Voxels
/// outside every rater come first: the rest is not about them.
std::string excess_text(const Certified& certified);

/// "1.2 % above the best known", which is no proof that there is none better.
std::string beside_best_known(double lmsd, double best_known);

/// "90 of 90 components proven", or for how many that was not achieved.
std::string proof_text(const Certified& certified);

/// All of it in one line.
std::string certificate_text(const Certified& certified);

}  // namespace crema::cli
