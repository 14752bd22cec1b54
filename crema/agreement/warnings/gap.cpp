// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/warnings/gap.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/counts/solvers.h"
#include "crema/measure.h"
#include "crema/stop.h"

namespace crema {
namespace {

/// A consensus is worth a word when its LMSD is this much lower, or its size this much different.
constexpr double kFarLower = 0.05, kFarSize = 0.2;
/// Criteria closer than this share of themselves are distinguished by rounding and by tolerances alone.
constexpr double kSame = 1e-6;

struct Better {
  double criterion = 0;
  std::int64_t voxels = 0;
};

/// The better of a component's decision and what is found from it.
Better look(const Tally& tally, const Decision& decision, const Method& method, Effort effort,
            const SolveOptions& solving) {
  const Distance distance = method.distance.with(solving.tversky);
  const Levels levels = best_without_proof(tally, distance, decision.levels, effort, solving).levels;
  const Better own{decision.criterion, decision.voxels};
  if (levels == decision.levels) return own;
  const double found = criterion(tally, levels, distance, solving.weights);
  if (!(found < decision.criterion * (1 - kSame))) return own;
  Better better{found, 0};
  for (std::size_t r = 0; r < levels.size(); ++r)
    better.voxels += voxels_inside(tally.rows[r], levels[r], method.kind);
  return better;
}

/// Small cases are looked at thoroughly: it takes a millisecond. Of large ones a look may cost but a small
/// part of what reading them did.
Effort affordable(const Reduction& reduction) {
  constexpr std::size_t kSmall = 4000;  // groups times raters
  const auto raters = static_cast<std::size_t>(reduction.raters);
  const std::size_t most = raters < 20 ? (std::size_t{1} << raters) - 1 : kSmall;  // groups of a component
  std::size_t work = 0;
  for (const Crowns& crowns : reduction.crowns) work += std::min(most, crowns.tally.rows.size()) * raters;
  return work <= kSmall ? Effort::thorough : Effort::quick;
}

}  // namespace

Gap find_gap(const Reduction& reduction, const Solution& solution, const Options& options) {
  SolveOptions solving = solve_options(options);
  solving.blocks = Blocks::group;
  const Effort effort = affordable(reduction);
  std::vector<Better> better(reduction.crowns.size());
  with_threads(options.threads, [&] {
    parallel_for(std::ssize(better), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      throw_if_stopped(options);
      better[c] = look(reduction.crowns[c].tally, solution.components[c], *solution.method, effort, solving);
    });
  });
  Gap gap;
  for (const Better& each : better) {
    gap.lmsd += each.criterion;
    gap.voxels += each.voxels;
  }
  return gap;
}

Warnings warnings_about_gap(const Reduction& reduction, const Solution& solution, const Options& options) {
  if (solution.method->aim != Aim::distance || options.blocks == Blocks::group) return {};
  const Gap gap = find_gap(reduction, solution, options);
  const double lower = 1 - gap.lmsd / solution.lmsd;
  if (!(lower > kSame)) return {};
  const double moved = std::abs(static_cast<double>(gap.voxels - solution.voxels));
  if (lower <= kFarLower && moved <= kFarSize * static_cast<double>(solution.voxels)) return {};
  return {{fmt::format("{}: a better result is known: LMSD {:.6g} in {} with {}, instead of {:.6g} with {}; "
                       "use {} for it.",
                       solution.method->name, gap.lmsd, to_string(solution.method->distance),
                       crema::counted(gap.voxels, "voxel"), solution.lmsd, solution.voxels,
                       Sentence::setting("blocks", "group")),
           WarningKind::better_known}};
}

}  // namespace crema
