// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/background.h"

#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "crema/base/parallel.h"
#include "crema/counts/groups.h"
#include "crema/gather.h"
#include "crema/measure.h"

namespace crema {
namespace {

constexpr std::array kPaddings{2, 3, 5, 10, 20, 30, 50, 100};
constexpr int kPriors = 3;  ///< alpha 0, 1 and 2
/// Simpler forms of STAPLE: one half, and the mean.
constexpr int kPriorsOfRelatives = 2;

/// The groups without the background.
Groups drawn_groups(const Reduction& reduction) {
  Groups groups = gather(reduction, {});
  if (!groups.rows.empty() && groups.rows.front().raters == 0) groups.rows.erase(groups.rows.begin());
  return groups;
}

Groups with_background(Groups groups, std::int64_t voxels) {
  if (voxels > 0) groups.rows.insert(groups.rows.begin(), {0, voxels});
  return groups;
}

/// Boxes with margins that double, until one fills the image.
void add_boxes(const Reduction& reduction, BackgroundStudy& study) {
  const std::int64_t all = reduction.grid.voxels();
  constexpr std::int32_t most = 1 << 29;  // twice that is still a number of voxels
  std::int64_t before = 0;
  for (std::int32_t margin = 0; margin <= most; margin = margin == 0 ? 1 : 2 * margin) {
    const Region region{.kind = Region::Kind::box, .margin = margin};
    const std::int64_t voxels = region_voxels(reduction.grid, reduction.components, region);
    if (voxels >= all) break;
    if (voxels > before)
      study.sizes.push_back({ImageSize::Kind::box, margin, voxels, voxels - study.union_voxels});
    before = voxels;
  }
}

void choose_sizes(const Reduction& reduction, BackgroundStudy& study) {
  if (study.union_voxels > 0) add_boxes(reduction, study);
  const std::int64_t all = reduction.grid.voxels(), background = all - study.union_voxels;
  study.image = study.sizes.size();
  study.sizes.push_back({ImageSize::Kind::image, 0, all, background});
  // Where the raters left nothing, the image itself is the measure.
  const std::int64_t once = background > 0 ? background : all;
  for (const int times : kPaddings)
    study.sizes.push_back({ImageSize::Kind::padded, times, study.union_voxels + times * once, times * once});
}

void count_drawn(const Groups& drawn, BackgroundStudy& study) {
  study.union_voxels = drawn.voxels();
  study.drawn_by_least.assign(static_cast<std::size_t>(drawn.raters), 0);
  std::int64_t sum = 0;
  for (const Group& row : drawn.rows) {
    const auto votes = static_cast<std::size_t>(std::popcount(row.raters));
    sum += row.voxels * static_cast<std::int64_t>(votes);
    for (std::size_t a = 0; a < votes; ++a) study.drawn_by_least[a] += row.voxels;
  }
  study.mean_voxels = static_cast<double>(sum) / drawn.raters;
}

/// Levels are read as they would be painted: float32, and whole voxels for a mask.
Extent measure(const Groups& groups, const GroupAnswer& answer, Kind kind) {
  Extent extent{.converged = answer.performance.converged};
  for (std::size_t r = 0; r < groups.rows.size(); ++r) {
    const std::int64_t voxels = groups.rows[r].voxels;
    const double level = static_cast<float>(answer.levels[r]) == 0 ? 0 : answer.levels[r];
    if (static_cast<float>(level) > 0.5F) extent.voxels += voxels;
    extent.soft_volume += level * static_cast<double>(voxels);
    if (kind == Kind::soft) extent.entropy += entropy(level) * static_cast<double>(voxels);
  }
  return extent;
}

/// w = 1/2, the mean share, or its square. Where no rater marked anything or all drew everything the square
/// is no chance, and the mean as good as any.
Prior prior_for(int alpha, double mean_voxels, const Groups& groups) {
  const auto all = static_cast<double>(groups.voxels());
  if (alpha == 0) return {Prior::Kind::number, 0.5};
  if (alpha == 1 || mean_voxels == 0 || mean_voxels == all) return {};
  return {Prior::Kind::power, std::pow(mean_voxels, alpha), static_cast<double>(alpha)};
}

ExtentCurve ask_groups(GroupSolver solver, const Groups& drawn, const BackgroundStudy& study,
                       const Options& options, ExtentCurve curve) {
  curve.sees_background = true;
  curve.at.resize(study.sizes.size());
  parallel_for(std::ssize(study.sizes), [&](std::int64_t i) {
    const auto s = static_cast<std::size_t>(i);
    const Groups groups = with_background(drawn, study.sizes[s].background);
    Options own = options;
    if (curve.alpha) own.estimate.prior = prior_for(*curve.alpha, study.mean_voxels, groups);
    curve.at[s] =
        measure(groups, solver(groups, group_options(groups, *curve.method, own)), curve.method->kind);
  });
  return curve;
}

/// Components are solved by themselves; there is no place in their tallies for a background.
ExtentCurve ask_components(const Reduction& reduction, const BackgroundStudy& study, const Options& options,
                           ExtentCurve curve) {
  const Solution solution = solve(reduction, *curve.method, options);
  curve.at.assign(study.sizes.size(), {solution.voxels, solution.soft_volume, solution.entropy, true});
  return curve;
}

void add_curves(const Reduction& reduction, const Groups& drawn, const Method& method, const Options& options,
                BackgroundStudy& study) {
  const auto* const groups = std::get_if<GroupSolver>(&method.solver);
  if (groups == nullptr) {
    study.curves.push_back(ask_components(reduction, study, options, {.method = &method}));
  } else if (!accepts(method, Accept::prior)) {
    study.curves.push_back(ask_groups(*groups, drawn, study, options, {.method = &method}));
  } else {
    const int priors = method.origin == Origin::paper ? kPriors : kPriorsOfRelatives;
    for (int alpha = 0; alpha < priors; ++alpha)
      study.curves.push_back(ask_groups(*groups, drawn, study, options, {.method = &method, .alpha = alpha}));
  }
}

}  // namespace

std::string to_string(const ImageSize& size) {
  if (size.kind == ImageSize::Kind::image) return "image";
  if (size.kind == ImageSize::Kind::padded) return fmt::format("{} × background", size.extra);
  return size.extra == 0 ? "box" : fmt::format("box + {}", size.extra);
}

std::string to_string(const ExtentCurve& curve) {
  constexpr std::array<std::string_view, kPriors> priors{"w=1/2", "w=mean", "w=mean²"};
  const bool usual = curve.method->origin != Origin::paper && curve.alpha == 1;
  if (!curve.alpha || usual) return std::string(curve.method->name);
  return fmt::format("{} {}", curve.method->name, priors[static_cast<std::size_t>(*curve.alpha)]);
}

BackgroundStudy study_background(const Reduction& reduction, const Options& options) {
  BackgroundStudy study;
  const Groups drawn = drawn_groups(reduction);
  count_drawn(drawn, study);
  choose_sizes(reduction, study);
  with_threads(options.threads, [&] {
    for (const Method& method : methods())
      if (takes_masks(method) && method.needs != Needs::neighbours)
        add_curves(reduction, drawn, method, options, study);
  });
  return study;
}

std::optional<double> percent_of_change(double first, double last) {
  if (first == 0) return std::nullopt;
  return 100 * (last - first) / first;
}

bool moves(const ExtentCurve& curve) {
  constexpr double kRounding = 1e-9;
  const auto differ = [](double a, double b) {
    return std::abs(a - b) > kRounding * std::max({1.0, std::abs(a), std::abs(b)});
  };
  const Extent& first = curve.at.front();
  return std::any_of(curve.at.begin(), curve.at.end(), [&](const Extent& extent) {
    return extent.voxels != first.voxels || differ(extent.soft_volume, first.soft_volume) ||
           differ(extent.entropy, first.entropy);
  });
}

Warnings background_warnings(const BackgroundStudy& study) {
  Warnings warnings;
  for (const ExtentCurve& curve : study.curves) {
    std::vector<std::string> names;
    for (std::size_t s = 0; s < study.sizes.size(); ++s)
      if (!curve.at[s].converged) names.push_back(to_string(study.sizes[s]));
    if (!names.empty())
      warnings.push_back({fmt::format("{}: no convergence at {}; the last estimate is given.",
                                      to_string(curve), fmt::join(names, ", ")),
                          WarningKind::not_converged});
  }
  return warnings;
}

}  // namespace crema
