// SPDX-License-Identifier: Apache-2.0
#include "crema/tables/preset.h"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/options.h"

namespace crema {
namespace {

/// ITK has no limit worth the name; this one still ends.
void as_itk(Options& options) {
  options.estimate.prior = {};
  options.estimate.tolerance = 1e-7;
  options.estimate.settling = Settling::rates;
  options.estimate.max_iterations = 10'000'000;
  options.region = {};
}

template <GroupSolver solver, Tie tie>
void as_package(Options& options) {
  options.estimate.as_package = solver;
  options.region = {};
  options.tie = tie;
}

void as_nnunet(Options& options) { options.region_rule = RegionRule::over; }

constexpr std::array kPresets{
    Preset{"itk", "ITK, SimpleITK, c3d, ANTs", as_itk},
    Preset{"niftyseg", "NiftySeg, seg_LabFusion -STAPLE", as_package<solve_as_niftyseg, Tie::foreground>},
    Preset{"crkit", "CRKit, crlSTAPLE", as_package<solve_as_crkit, Tie::background>},
    Preset{"stapler", "stapler for R, staple()", as_package<solve_as_stapler, Tie::background>},
    Preset{"stapler-bin", "stapler for R, staple_bin_mat()",
           as_package<solve_as_stapler_bin, Tie::foreground>},
    Preset{"nnunet", "nnU-Net, nnUNetv2_ensemble", as_nnunet},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

void apply_preset(std::string_view name, Options& options) {
  for (const Preset& preset : kPresets)
    if (preset.name == name) return preset.apply(options);
  std::vector<std::string_view> names;
  for (const Preset& preset : kPresets) names.push_back(preset.name);
  throw UsageError(fmt::format("unknown preset \"{}\"; choose one of {}", name, fmt::join(names, ", ")));
}

}  // namespace crema
