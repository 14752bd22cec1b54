// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/incumbent.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "crema/counts/descent.h"
#include "crema/counts/minimum.h"

namespace crema {
namespace {

double criterion_of(const Problem& problem, const std::vector<double>& levels) {
  return criterion(problem, sum_up(problem, levels));
}

/// Weighted share of the panel's raters who drew each group.
std::vector<double> average(const Problem& problem) {
  std::vector<double> levels;
  for (std::size_t g = 0; g < problem.blocks(); ++g) {
    double drew = 0, all = problem.panel.absent;
    for (std::size_t k = 0; k < problem.panel.count(); ++k) {
      drew += problem.share_of(g)[k] > 0 ? problem.panel.weight[k] : 0;
      all += problem.panel.weight[k];
    }
    levels.push_back(drew / all);
  }
  return levels;
}

}  // namespace

Incumbent::Incumbent(const Problem& problem, const Tally& groups, const std::vector<Levels>& starts)
    : problem_(problem),
      groups_(groups),
      hard_(problem.distance == Distance::jaccard || problem.distance == Distance::dice),
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
  improve(average(problem));
  improve(std::vector<double>(problem.blocks(), 1));
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
  std::vector<double> near = levels_;
  for (std::size_t g = 0; g < near.size(); ++g) {
    const double n = problem_.voxels[g], own = near[g];
    for (const double there : {own - 1 / n, own + 1 / n}) {
      if (there < -1e-9 || there > 1 + 1e-9) continue;
      near[g] = there;
      most = std::max(most, std::abs(criterion_of(problem_, near) - criterion_));
    }
    near[g] = own;
  }
  return most;
}

void Incumbent::offer(const std::vector<double>& levels) {
  if (hard_) return improve_hard(levels);
  if (criterion_of(problem_, levels) < criterion_ * (1 - 1e-7)) improve_soft(levels);
}

void Incumbent::improve_soft(const std::vector<double>& levels) {
  keep_if_better(descend(problem_, groups_, levels).levels);
}

/// One group at a time: the best real level, and the whole numbers of voxels on either side of it.
void Incumbent::improve_hard(std::vector<double> levels) {
  for (std::size_t g = 0; g < levels.size(); ++g)
    levels[g] = std::round(levels[g] * problem_.voxels[g]) / problem_.voxels[g];
  double value = criterion_of(problem_, levels);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t g = 0; g < levels.size(); ++g) {
      const double own = levels[g], n = problem_.voxels[g];
      levels[g] = 0;
      const Line line{&problem_, g, sum_up(problem_, levels)};
      const double count = minimise(line) * n;
      levels[g] = own;
      for (const double whole : {std::floor(count), std::ceil(count)}) {
        const double there = value_at(line, whole / n) + problem_.panel.absent;
        if (there < value * (1 - 1e-14)) {
          value = there;
          levels[g] = whole / n;
          moved = true;
        }
      }
    }
  }
  keep_if_better(std::move(levels));
}

}  // namespace crema
