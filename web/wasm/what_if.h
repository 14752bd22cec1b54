// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "crema/base/json.h"
#include "crema/fuse.h"
#include "crema/tables/settings.h"

namespace crema::report {

/// A request: a method, settings, and which raters are left out; weights are those of the others.
struct Question {
  const Method* method = nullptr;
  Raters without = 0;
  Settings settings;
};

/// Lines of a name, a blank and a value: `method`, `without` (numbers of raters from 0, between commas),
/// and settings by their names. Throws UsageError on what it does not know.
Question parse_question(std::string_view request, int raters);

/// The raters that are left, by their old numbers. Throws InputError where there are none.
std::vector<int> left_of(Raters without, int raters);

/// One case whose masks or levels are at hand, to be fused again with other settings.
class WhatIf {
 public:
  WhatIf(const Grid& grid, int raters)
      : grid_(grid), raters_(raters), sets_(static_cast<std::size_t>(grid.voxels())) {}

  /// For each voxel who drew it; to be filled in before the first request.
  [[nodiscard]] std::vector<Raters>& sets() { return sets_; }

  /// Where raters give levels, these instead, rater by rater: a level in steps of 1/255, from 128 on where it
  /// reaches ½, and 0 below the floor.
  [[nodiscard]] std::vector<std::uint8_t>& take_steps();

  /// Lines of a name, a blank and a value: `method`, `without` (numbers of raters from 0, between commas),
  /// and settings by their names. Throws UsageError and InputError as fusing does.
  Json ask(std::string_view request);

  /// Of the last answer, one per voxel.
  [[nodiscard]] const std::vector<float>& levels() const { return levels_; }

 private:
  const Reduction& reduction_for(Raters without, const Options& options, Needs needs);
  [[nodiscard]] Reduction reduce_masks(const std::vector<int>& left, Needs needs,
                                       const Options& options) const;
  [[nodiscard]] Reduction reduce_steps(const std::vector<int>& left, Needs needs,
                                       const Options& options) const;

  Grid grid_;
  int raters_;
  std::vector<Raters> sets_;
  std::vector<std::uint8_t> steps_;
  std::map<std::string, Reduction> known_;
  std::vector<float> levels_;
};

}  // namespace crema::report
