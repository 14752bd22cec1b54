// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

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

/// Throws UsageError where levels were fused, for what is about masks.
void require_masks(const Fused& fused, std::string_view what);

/// Throws UsageError unless these methods can answer with what was counted; votes of voxels are not kept.
void require_counted(const Fused& fused, std::span<const Method* const> methods);

}  // namespace crema::python
