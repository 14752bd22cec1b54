// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "python/intake.h"

namespace crema::python {

/// One method's answer, painted, and the counts it shares with the others.
struct Fused {
  std::shared_ptr<const Counted> run;
  raters::Outcome outcome;
  Image image;
  Warnings warnings;

  [[nodiscard]] const Reduction& reduction() const { return *run->counted.reduction; }
};

/// An image that went to Python and comes back.
Image image_of(const Borrowed<float>& levels, Kind kind);

/// Throws UsageError unless these methods can be asked with what was counted; votes of voxels are not kept.
void require_counted(const Fused& fused, std::span<const Method* const> methods);

}  // namespace crema::python
