// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "python/intake.h"

namespace crema::python {

/// One method's answer, and the counts it shares with the others. Labels are painted with the outcome.
struct Fused {
  std::shared_ptr<const Counted> run;
  raters::Outcome outcome;
  std::shared_ptr<Image> image;  ///< of a mask; Python sees the same voxels
  Warnings warnings;

  [[nodiscard]] const Reduction& reduction(std::size_t s) const { return run->counted.reduction(s); }
  /// One structure's part, with the image where counts do not say which voxels it has.
  [[nodiscard]] Solution solution(std::size_t s) const;
};

/// Throws UsageError unless these methods can answer with what was counted; votes of voxels are not kept.
void require_counted(const Fused& fused, std::span<const Method* const> methods);

}  // namespace crema::python
