// SPDX-License-Identifier: Apache-2.0
#include "report/passes.h"

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

/// Which pass made the answer: the one whose rows are the answer's.
int pass_of(const Decision& decision, const std::vector<int>& shrink) {
  bool empty = true, shrunk = true;
  for (std::size_t r = 0; r < shrink.size(); ++r) {
    empty = empty && decision.levels[r] == 0;
    shrunk = shrunk && (decision.levels[r] == 0) == (shrink[r] > 0);
  }
  return empty ? 0 : shrunk ? 1 : 2;
}

void append(std::string& text, const std::vector<int>& numbers) {
  for (const int number : numbers)
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", number);
}

}  // namespace

bool goes_in_passes(const raters::Outcome& outcome) {
  const Method& method = outcome.method();
  return method.aim == Aim::distance && method.kind == Kind::hard && is_hard(method.distance) &&
         outcome.options.blocks != Blocks::group;
}

std::string passes_json(const Reduction& reduction, const raters::Outcome& outcome) {
  if (!goes_in_passes(outcome)) return "";
  std::string shrink, grow, pass;
  for (std::size_t c = 0; c < reduction.crowns.size(); ++c) {
    const Tally& tally = reduction.crowns[c].tally;
    const Trace trace = trace_greedily(tally, outcome.method().distance, solve_options(outcome.options));
    const std::vector<int> shrunk = steps_of(tally, trace.shrinking, outcome.options.blocks);
    append(shrink, shrunk);
    append(grow, steps_of(tally, trace.growing, outcome.options.blocks));
    append(pass, {pass_of(outcome.solution.components[c], shrunk)});
  }
  return fmt::format(",\"shrink\":[{}],\"grow\":[{}],\"pass\":[{}]", shrink, grow, pass);
}

}  // namespace crema::report
