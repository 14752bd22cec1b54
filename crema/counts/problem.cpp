// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/problem.h"

#include <numeric>
#include <unordered_map>

#include "crema/counts/discrepancy.h"

namespace crema {
namespace {

/// Rows with the same key share a block.
std::uint64_t key(const Subcrown& row, std::size_t index, Blocks blocks) {
  switch (blocks) {
    case Blocks::crown:
      return static_cast<std::uint64_t>(row.distance);
    case Blocks::group:
      return row.raters;
    case Blocks::subcrown:
    case Blocks::voxel:
      break;
  }
  return index;
}

/// 1 or 0, to multiply with: who drew what is nothing a processor can guess.
double drew(const Subcrown& row, std::size_t rater) { return static_cast<double>(row.raters >> rater & 1); }

}  // namespace

Panel make_panel(const Tally& tally, const std::vector<double>& weights, Scale scale) {
  const auto raters = static_cast<std::size_t>(tally.raters);
  std::vector<double> size(raters, 0);
  for (const Subcrown& row : tally.rows)
    for (std::size_t k = 0; k < raters; ++k) size[k] += drew(row, k) * static_cast<double>(row.voxels);
  const double sum =
      weights.empty() ? static_cast<double>(raters) : std::accumulate(weights.begin(), weights.end(), 0.0);
  const double all = scale == Scale::shares ? sum : 1;
  Panel panel;
  for (std::size_t k = 0; k < raters; ++k) {
    const double weight = weights.empty() ? 1 : weights[k];
    if (weight == 0) continue;
    if (size[k] == 0) {
      panel.absent += weight / all;
      continue;
    }
    panel.raters.push_back(static_cast<int>(k));
    panel.size.push_back(size[k]);
    panel.weight.push_back(weight / all);
  }
  return panel;
}

Problem make_problem(const Tally& tally, const Distance& distance, const std::vector<double>& weights,
                     Blocks blocks, Scale scale) {
  Problem problem{.distance = distance, .panel = make_panel(tally, weights, scale)};
  std::unordered_map<std::uint64_t, std::uint32_t> number(tally.rows.size());
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const auto next = static_cast<std::uint32_t>(number.size());
    problem.block_of_row.push_back(number.emplace(key(tally.rows[r], r, blocks), next).first->second);
  }
  const std::size_t raters = problem.panel.count();
  problem.voxels.assign(number.size(), 0);
  problem.share.assign(number.size() * raters, 0);
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    const Subcrown& row = tally.rows[r];
    const std::size_t block = problem.block_of_row[r];
    const auto n = static_cast<double>(row.voxels);
    problem.voxels[block] += n;
    double* share = problem.share.data() + block * raters;
    for (std::size_t k = 0; k < raters; ++k)
      share[k] += drew(row, static_cast<std::size_t>(problem.panel.raters[k])) * n;
  }
  return problem;
}

State sum_up(const Problem& problem, const std::vector<double>& levels) {
  const std::size_t raters = problem.panel.count();
  State state{.overlap = std::vector<double>(raters, 0)};
  for (std::size_t b = 0; b < problem.blocks(); ++b) {
    const double x = levels[b];
    if (x == 0) continue;
    state.extent += problem.voxels[b] * (squares(problem.distance) ? x * x : x);
    for (std::size_t k = 0; k < raters; ++k) state.overlap[k] += problem.share_of(b)[k] * x;
  }
  return state;
}

double present_criterion(const Problem& problem, const State& state) {
  const Panel& panel = problem.panel;
  double sum = 0;
  std::visit(
      [&](const auto& formula) {
        for (std::size_t k = 0; k < panel.count(); ++k)
          sum += formula.term(panel.weight[k], formula.inner(state.overlap[k], state.extent, panel.size[k]));
      },
      formula_of(problem.distance));
  return sum;
}

double criterion(const Problem& problem, const State& state) {
  return problem.panel.absent + present_criterion(problem, state);
}

double empty_criterion(const Panel& panel) {
  return std::accumulate(panel.weight.begin(), panel.weight.end(), 0.0);
}

}  // namespace crema
