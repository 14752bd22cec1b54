// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crema/base/warning.h"
#include "crema/counts/staple/performance.h"
#include "crema/image/image.h"

/// Methods that look at neighbouring voxels: what they paint is not a function of counts.
namespace crema {

struct Reduction;
struct Options;

struct Field {
  Image image;
  std::optional<Performance> performance = {};
  Warnings warnings = {};
};

/// The reduction must have kept its votes.
Field solve_shape(const Reduction& reduction, const Options& options);
Field solve_shape_soft(const Reduction& reduction, const Options& options);
Field solve_staple_mrf(const Reduction& reduction, const Options& options);
Field solve_local_staple(const Reduction& reduction, const Options& options);

}  // namespace crema
