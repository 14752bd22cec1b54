// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/incumbent.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "crema/counts/discrepancy.h"
#include "crema/counts/macchiato/minimum.h"

namespace crema {
namespace {

double criterion_of(const Problem& problem, const std::vector<double>& levels) {
  return criterion(problem, sum_up(problem, levels));
}

/// The line of one group's level through given levels, whose sums are `state`.
Line line_through(const Problem& problem, const State& state, const std::vector<double>& levels,
                  std::size_t g) {
  Line line(problem, g, state);
  line.rest.extent = std::max(0.0, state.extent - problem.voxels[g] * levels[g]);
  for (std::size_t k = 0; k < line.rest.overlap.size(); ++k)
    line.rest.overlap[k] = std::max(0.0, state.overlap[k] - problem.share_of(g)[k] * levels[g]);
  return line;
}

std::vector<double> rounded(const Problem& problem, std::vector<double> levels) {
  for (std::size_t g = 0; g < levels.size(); ++g)
    levels[g] = std::round(levels[g] * problem.voxels[g]) / problem.voxels[g];
  return levels;
}

/// Weighted share of those among the panel's raters who drew each group.
std::vector<double> average(const Problem& problem) {
  std::vector<double> levels;
  for (std::size_t g = 0; g < problem.blocks(); ++g) {
    double drew = 0, all = 0;
    for (std::size_t k = 0; k < problem.panel.count(); ++k) {
      drew += problem.share_of(g)[k] > 0 ? problem.panel.weight[k] : 0;
      all += problem.panel.weight[k];
    }
    levels.push_back(drew / all);
  }
  return levels;
}

}  // namespace

Incumbent::Incumbent(const Problem& problem, const Tally& groups, const std::vector<Levels>& starts,
                     Stop stop, double settled)
    : problem_(problem),
      groups_(groups),
      hard_(is_hard(problem.distance)),
      stop_(std::move(stop)),
      settled_(settled),
      criterion_(INFINITY) {
  const auto improve = [&](const std::vector<double>& levels) {
    if (hard_)
      improve_hard(levels);
    else
      improve_soft(levels);
  };
  for (const Levels& start : starts) {
    keep_if_better(start);
    improve(start);
  }
  const std::vector<double> full(problem.blocks(), 1);
  if (levels_.empty()) keep_if_better(full);
  improve(average(problem));
  improve(full);
}

void Incumbent::keep_if_better(std::vector<double> levels) {
  const double value = criterion_of(problem_, levels);
  const double extent = sum_up(problem_, levels).extent;
  if (extent == 0 || !(value < criterion_)) return;
  criterion_ = value;
  extent_ = extent;
  levels_ = std::move(levels);
}

double Incumbent::worth_of_a_voxel() const {
  double most = 0;
  const State state = sum_up(problem_, levels_);
  for (std::size_t g = 0; g < levels_.size(); ++g) {
    const Line line = line_through(problem_, state, levels_, g);
    const double n = problem_.voxels[g], own = levels_[g];
    for (const double there : {own - 1 / n, own + 1 / n})
      if (there > -1e-9 && there < 1 + 1e-9)
        most = std::max(most, std::abs(value_at(line, there) + problem_.panel.absent - criterion_));
  }
  return most;
}

void Incumbent::offer(const std::vector<double>& levels) {
  if (!hard_) {
    if (criterion_of(problem_, levels) < criterion_ * (1 - 1e-7)) improve_soft(levels);
    return;
  }
  // What is far off is seldom improved enough to be worth its cost.
  auto whole = rounded(problem_, levels);
  if (criterion_of(problem_, whole) < 1.05 * criterion_) improve_hard(std::move(whole));
}

void Incumbent::improve_soft(const std::vector<double>& levels) {
  if (!stopped(stop_))
    keep_if_better(descend(problem_, groups_, levels, Visits::as_numbered, stop_, settled_).levels);
}

/// Moves the sums as a group goes from one whole number of voxels to another: in whole numbers, so that
/// nothing drifts and a move costs O(K).
void Incumbent::move(State& state, std::size_t g, double voxels) const {
  state.extent += voxels;
  for (std::size_t k = 0; k < state.overlap.size(); ++k)
    if (problem_.share_of(g)[k] > 0) state.overlap[k] += voxels;
}

/// One group at a time: the best real level, and the whole numbers of voxels on either side of it.
void Incumbent::improve_hard(std::vector<double> levels) {
  levels = rounded(problem_, std::move(levels));
  double value = criterion_of(problem_, levels);
  for (bool moved = true; moved;) {
    moved = false;
    State state = sum_up(problem_, levels);
    for (std::size_t g = 0; g < levels.size() && !stopped(stop_); ++g) {
      const Line line = line_through(problem_, state, levels, g);
      const double n = problem_.voxels[g], count = minimise(line, levels[g]) * n;
      const double before = std::round(levels[g] * n);
      double after = before;
      for (const double whole : {std::floor(count), std::ceil(count)}) {
        const double there = value_at(line, whole / n) + problem_.panel.absent;
        if (!(there < value * (1 - 1e-13))) continue;
        value = there;
        after = whole;
      }
      if (after == before) continue;
      moved = true;
      levels[g] = after / n;
      move(state, g, after - before);
    }
  }
  keep_if_better(std::move(levels));
}

}  // namespace crema
