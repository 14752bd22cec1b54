// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

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

}  // namespace crema::python
