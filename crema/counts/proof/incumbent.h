// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "crema/counts/macchiato/descent.h"
#include "crema/counts/problem.h"
#include "crema/counts/solve_options.h"
#include "crema/counts/tally.h"

namespace crema {

/// The best consensus found so far while a group problem is being solved.
class Incumbent {
 public:
  /// Improves the starts, the mask average and the full component, soft levels as far as `settled` says. Once
  /// stopped it makes do with what it has.
  Incumbent(const Problem& problem, const Tally& groups, const std::vector<Levels>& starts, Stop stop = {},
            double settled = kMinGain);

  /// Takes levels from elsewhere if they, improved one group at a time, are better. They may be rough.
  void offer(const std::vector<double>& levels);

  [[nodiscard]] const std::vector<double>& levels() const { return levels_; }
  [[nodiscard]] double criterion() const { return criterion_; }
  [[nodiscard]] double extent() const { return extent_; }
  /// The most that adding or removing a single voxel changes the criterion.
  [[nodiscard]] double worth_of_a_voxel() const;
  /// Levels are whole numbers of voxels.
  [[nodiscard]] bool hard() const { return hard_; }

 private:
  void keep_if_better(std::vector<double> levels);
  void improve_soft(const std::vector<double>& levels);
  void improve_hard(std::vector<double> levels);
  void move(State& state, std::size_t group, double voxels) const;

  const Problem& problem_;
  const Tally& groups_;
  bool hard_;
  Stop stop_;
  double settled_;
  std::vector<double> levels_;
  double criterion_, extent_ = 0;
};

}  // namespace crema
