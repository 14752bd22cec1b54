// SPDX-License-Identifier: Apache-2.0
#include "report/case/passes.h"

#include <fmt/format.h>

#include "crema/counts/macchiato/trace.h"
#include "crema/stop.h"

namespace crema::report {
namespace {

/// The step of each row in one pass; a block may be a whole crown.
std::vector<int> steps_of(const Tally& tally, const PassTrace& pass, Blocks blocks) {
  std::vector<int> steps(tally.rows.size(), 0);
  int number = 0;
  for (const Step& step : pass.steps) {
    ++number;
    for (std::size_t r = step.row; r < tally.rows.size(); ++r) {
      if (r > step.row && (blocks != Blocks::crown || tally.rows[r].distance != step.distance)) break;
      steps[r] = step.accepted ? number : -number;
    }
  }
  return steps;
}

/// Which pass found the answer: the one whose rows are the answer's. Neither where labels that claimed the
/// same voxels were settled.
int pass_of(const Tally& tally, const Decision& decision, const std::vector<int>& shrink,
            const std::vector<int>& grow, bool settled) {
  bool empty = true, shrunk = true, grown = true;
  for (std::size_t r = 0; r < shrink.size(); ++r) {
    const double level = decision.levels[r];
    const bool core = tally.rows[r].distance == tally.rows.front().distance;
    empty = empty && level == 0;
    shrunk = shrunk && (level == 0) == (shrink[r] > 0);
    grown = grown && level == (core || grow[r] > 0 ? 1 : 0);
  }
  return empty ? 0 : shrunk ? 1 : grown || !settled ? 2 : 3;
}

void append(std::string& text, const std::vector<int>& numbers) {
  for (const int number : numbers)
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", number);
}

}  // namespace

bool goes_in_passes(const raters::Outcome& outcome) {
  const Method& method = outcome.method();
  return method.aim == Aim::distance && crema::goes_in_passes(method.distance, outcome.options.blocks);
}

std::string passes_json(const Reduction& reduction, const raters::Outcome& outcome) {
  if (!goes_in_passes(outcome)) return "";
  std::string shrink, grow, pass;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Tally& tally = reduction.crowns[c].tally;
    const Trace trace = trace_greedily(tally, outcome.method().distance.with(outcome.options.tversky),
                                       solve_options(outcome.options));
    const std::vector<int> shrunk = steps_of(tally, trace.shrinking, outcome.options.blocks);
    append(shrink, shrunk);
    const std::vector<int> grown = steps_of(tally, trace.growing, outcome.options.blocks);
    append(grow, grown);
    const Solution& solution = outcome.structures.front();
    append(pass, {pass_of(tally, solution.components[c], shrunk, grown, solution.image != nullptr)});
  }
  return fmt::format(",\"shrink\":[{}],\"grow\":[{}],\"pass\":[{}]", shrink, grow, pass);
}

}  // namespace crema::report
