// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace crema {

struct Options;

/// STAPLE, or the labels of regions, as another package computes them. docs/method.md says what each
/// settles.
struct Preset {
  std::string_view name;
  std::string_view package;
  void (*apply)(Options&);
};

std::span<const Preset> presets();

/// Sets prior, region, start and stopping rule, or the rule for regions, as that package has them.
/// Throws UsageError when there is no such preset.
void apply_preset(std::string_view name, Options& options);

}  // namespace crema
