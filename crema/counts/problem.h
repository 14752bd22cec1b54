// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crema/counts/solve_options.h"
#include "crema/counts/tally.h"

namespace crema {

/// The raters whose distance to a consensus of a component depends on it: present in it, with a weight.
struct Panel {
  std::vector<int> raters;
  std::vector<double> size;    ///< voxels each drew in the component
  std::vector<double> weight;  ///< share of all weights, or as given
  double absent = 0;  ///< share of the weights of those who drew nothing: the price of not being empty

  [[nodiscard]] std::size_t count() const { return raters.size(); }
};

/// Weights as shares of all weights, or as they were given (1 where none were): then criteria are sums
/// instead of means, and who is absent leaves no trace in the numbers of those present, not even in the last
/// digit.
enum class Scale : std::uint8_t { shares, as_given };

Panel make_panel(const Tally& tally, const std::vector<double>& weights, Scale scale = Scale::shares);

/// A component as a function of one level per block.
struct Problem {
  Distance distance = Distance::soergel;
  Panel panel;
  std::vector<double> voxels;  ///< per block
  std::vector<double> share;   ///< per block and rater of the panel: voxels of the block the rater drew
  std::vector<std::uint32_t> block_of_row;

  [[nodiscard]] std::size_t blocks() const { return voxels.size(); }
  [[nodiscard]] const double* share_of(std::size_t block) const {
    return share.data() + block * panel.count();
  }
};

/// Blocks are numbered by the first row they hold. `voxel` makes one block per row: its tally has a row per
/// voxel.
Problem make_problem(const Tally& tally, const Distance& distance, const std::vector<double>& weights,
                     Blocks blocks, Scale scale = Scale::shares);

/// The sums a criterion needs, for the panel's raters.
struct State {
  double extent = 0;  ///< Σ n x, or Σ n x² for the distances with squares
  std::vector<double> overlap;
};

State sum_up(const Problem& problem, const std::vector<double>& levels);

/// Criterion of a consensus that is not empty, absent raters included.
double criterion(const Problem& problem, const State& state);
/// The same without what the absent raters add, which is the same for all of them.
double present_criterion(const Problem& problem, const State& state);

/// Criterion of the empty consensus.
double empty_criterion(const Panel& panel);

}  // namespace crema
