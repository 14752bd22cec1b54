// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/descent.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "crema/counts/macchiato/minimum.h"
#include "crema/counts/macchiato/visits.h"
#include "crema/counts/processor.h"

namespace crema {
namespace {

constexpr int kMaxSweeps = 10000;

/// Adds or takes away; rounding makes no sum negative.
CREMA_FOR_EACH_PROCESSOR void add(double* sums, const double* terms, std::size_t count, double sign) {
  for (std::size_t k = 0; k < count; ++k) {
    const double sum = sums[k] + sign * terms[k];
    sums[k] = sum > 0 ? sum : 0;
  }
}

CREMA_FOR_EACH_PROCESSOR void set_to(double* products, const double* share, std::size_t count, double x) {
  for (std::size_t k = 0; k < count; ++k) products[k] = share[k] * x;
}

/// What each block adds to the sums.
class Parts {
 public:
  /// Of a start whose levels are given per row.
  Parts(const Problem& problem, const Tally& tally, const Levels& start)
      : problem_(problem), extent_(problem.blocks(), 0), overlap_(problem.share.size(), 0) {
    for (std::size_t r = 0; r < tally.rows.size(); ++r) {
      const std::size_t block = problem.block_of_row[r];
      const double n = static_cast<double>(tally.rows[r].voxels), x = start[r];
      extent_[block] += n * (squares(problem.distance) ? x * x : x);
      for (std::size_t k = 0; k < raters(); ++k)
        if ((tally.rows[r].raters >> problem.panel.raters[k] & 1) != 0)
          overlap_[block * raters() + k] += n * x;
    }
  }

  [[nodiscard]] State total() const {
    State state{.overlap = std::vector<double>(raters(), 0)};
    for (std::size_t b = 0; b < extent_.size(); ++b) {
      state.extent += extent_[b];
      for (std::size_t k = 0; k < raters(); ++k) state.overlap[k] += overlap_[b * raters() + k];
    }
    return state;
  }

  void set(std::size_t block, double x) {
    extent_[block] = problem_.voxels[block] * (squares(problem_.distance) ? x * x : x);
    set_to(overlap_.data() + block * raters(), problem_.share_of(block), raters(), x);
  }

  void add_to(State& state, std::size_t block, double sign) const {
    state.extent = std::max(0.0, state.extent + sign * extent_[block]);
    add(state.overlap.data(), overlap_.data() + block * raters(), raters(), sign);
  }

 private:
  [[nodiscard]] std::size_t raters() const { return problem_.panel.count(); }

  const Problem& problem_;
  std::vector<double> extent_;
  std::vector<double> overlap_;  ///< per block and rater of the panel
};

/// A descent on its way.
class DescentState {
 public:
  DescentState(const Problem& problem, const Tally& tally, const Levels& start, const Stop& stop)
      : problem_(problem),
        tally_(tally),
        stop_(stop),
        parts_(problem, tally, start),
        levels_(problem.blocks(), 0),
        line_(problem, 0, {}) {
    for (std::size_t r = 0; r < start.size(); ++r) levels_[problem.block_of_row[r]] = start[r];
  }

  void sweep(Visits visits) {
    if (visits == Visits::by_crown && ranks_.empty()) ranks_ = rank_blocks(problem_);
    sums_ = parts_.total();  // summed afresh, so that rounding does not pile up over sweeps
    for (std::size_t b = 0; b < problem_.blocks() && !is_over();) {
      const std::size_t end = visits == Visits::by_crown ? end_of_crown(b) : b + 1;
      if (end == b + 1)
        set(b, minimise(line_of({&b, 1}), levels_[b]));
      else
        visit_crown(b, end);
      b = end;
    }
  }

  [[nodiscard]] State state() const { return parts_.total(); }
  std::vector<double> take_levels() { return std::move(levels_); }

 private:
  /// Checks for a stop once in a while: a check may take as long as a step.
  bool is_over() {
    constexpr unsigned kSteps = 16;
    if (!over_ && ++steps_ % kSteps == 0) over_ = stopped(stop_);
    return over_;
  }

  [[nodiscard]] std::size_t end_of_crown(std::size_t row) const {
    const std::int32_t crown = tally_.rows[row].distance;
    while (row < tally_.rows.size() && tally_.rows[row].distance == crown) ++row;
    return row;
  }

  /// The line of blocks that share a level, until the next one is requested.
  const Line& line_of(std::span<const std::size_t> blocks) {
    line_.rest = sums_;
    for (const std::size_t b : blocks) parts_.add_to(line_.rest, b, -1);
    line_.voxels = problem_.voxels[blocks.front()];
    line_.share = problem_.share_of(blocks.front());
    if (blocks.size() == 1) return line_;
    share_.assign(problem_.panel.count(), 0);
    line_.voxels = 0;
    for (const std::size_t b : blocks) {
      line_.voxels += problem_.voxels[b];
      for (std::size_t k = 0; k < share_.size(); ++k) share_[k] += problem_.share_of(b)[k];
    }
    line_.share = share_.data();
    return line_;
  }

  void set(std::size_t block, double level) {
    parts_.add_to(sums_, block, -1);
    parts_.set(block, level);
    levels_[block] = level;
    parts_.add_to(sums_, block, 1);
  }

  [[nodiscard]] Candidate candidate(std::size_t block) {
    const BestStep step = best_step(line_of({&block, 1}), levels_[block]);
    return {
        .block = block, .now = levels_[block], .best = step.level, .change = step.change, .unit = step.unit};
  }

  void visit_crown(std::size_t begin, std::size_t end) {
    order_.candidates.clear();
    for (std::size_t b = begin; b < end && !is_over(); ++b) order_.candidates.push_back(candidate(b));
    order_visits(ranks_, order_);
    bool moved = false;  // since the candidates were looked at
    std::size_t at = 0;
    for (const std::size_t last : order_.ends) {
      if (is_over()) return;
      const Candidate& first = order_.candidates[at];
      blocks_.clear();
      for (; at < last; ++at) blocks_.push_back(order_.candidates[at].block);
      const bool known = !moved && blocks_.size() == 1;
      const double level = known ? first.best : minimise(line_of(blocks_), first.now);
      moved = moved || level != first.now;
      for (const std::size_t b : blocks_) set(b, level);
    }
  }

  const Problem& problem_;
  const Tally& tally_;
  const Stop& stop_;
  unsigned steps_ = 0;
  bool over_ = false;
  Parts parts_;
  std::vector<double> levels_, share_;
  std::vector<std::size_t> blocks_;
  std::vector<std::uint32_t> ranks_;
  Order order_;
  Line line_;
  State sums_;
};

}  // namespace

Descent descend(const Problem& problem, const Tally& tally, const Levels& start, Visits visits,
                const Stop& stop, double settled) {
  Descent result;
  DescentState descent(problem, tally, start, stop);
  double last = INFINITY, present = 0;
  for (result.sweeps = 0; result.sweeps < kMaxSweeps; ++result.sweeps) {
    descent.sweep(visits);
    present = present_criterion(problem, descent.state());
    if (!(last - present > settled * present) || stopped(stop)) break;
    last = present;
  }
  result.criterion = problem.panel.absent + present;
  result.levels = descent.take_levels();
  return result;
}

}  // namespace crema
