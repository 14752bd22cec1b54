// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/descent.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/macchiato/minimum.h"

namespace crema {
namespace {

constexpr int kMaxSweeps = 10000;

/// What one block adds to the sums.
struct Part {
  double extent = 0;
  std::vector<double> overlap;
};

/// The parts of a start whose levels are given per row.
std::vector<Part> parts_of(const Problem& problem, const Tally& tally, const Levels& start) {
  std::vector<Part> parts(problem.blocks(), Part{0, std::vector<double>(problem.panel.count(), 0)});
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    Part& part = parts[problem.block_of_row[r]];
    const double n = static_cast<double>(tally.rows[r].voxels), x = start[r];
    part.extent += n * (squares(problem.distance) ? x * x : x);
    for (std::size_t k = 0; k < part.overlap.size(); ++k)
      if ((tally.rows[r].raters >> problem.panel.raters[k] & 1) != 0) part.overlap[k] += n * x;
  }
  return parts;
}

State total(const Problem& problem, const std::vector<Part>& parts) {
  State state{.overlap = std::vector<double>(problem.panel.count(), 0)};
  for (const Part& part : parts) {
    state.extent += part.extent;
    for (std::size_t k = 0; k < state.overlap.size(); ++k) state.overlap[k] += part.overlap[k];
  }
  return state;
}

void set_part(const Problem& problem, std::size_t block, double x, Part& part) {
  part.extent = problem.voxels[block] * (squares(problem.distance) ? x * x : x);
  for (std::size_t k = 0; k < part.overlap.size(); ++k) part.overlap[k] = problem.share_of(block)[k] * x;
}

void add(State& state, const Part& part, double sign) {
  state.extent = std::max(0.0, state.extent + sign * part.extent);
  for (std::size_t k = 0; k < state.overlap.size(); ++k)
    state.overlap[k] = std::max(0.0, state.overlap[k] + sign * part.overlap[k]);
}

}  // namespace

Descent descend(const Problem& problem, const Tally& tally, const Levels& start) {
  Descent result{.levels = std::vector<double>(problem.blocks(), 0)};
  auto parts = parts_of(problem, tally, start);
  double last = INFINITY;
  for (result.sweeps = 0; result.sweeps < kMaxSweeps; ++result.sweeps) {
    Line line{&problem, 0,
              total(problem, parts)};  // summed afresh, so that rounding does not pile up over sweeps
    for (std::size_t b = 0; b < problem.blocks(); ++b) {
      line.block = b;
      add(line.rest, parts[b], -1);
      result.levels[b] = minimise(line);
      set_part(problem, b, result.levels[b], parts[b]);
      add(line.rest, parts[b], 1);
    }
    result.criterion = criterion(problem, total(problem, parts));
    if (!(last - result.criterion > 1e-12 * result.criterion)) break;
    last = result.criterion;
  }
  return result;
}

}  // namespace crema
