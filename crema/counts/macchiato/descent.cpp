// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/macchiato/descent.h"

#include <algorithm>
#include <cmath>

#include "crema/counts/macchiato/minimum.h"
#include "crema/counts/macchiato/visits.h"

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

/// A descent on its way.
class Walk {
 public:
  Walk(const Problem& problem, const Tally& tally, const Levels& start, const Stop& stop)
      : problem_(problem),
        tally_(tally),
        stop_(stop),
        parts_(parts_of(problem, tally, start)),
        levels_(problem.blocks(), 0) {
    for (std::size_t r = 0; r < start.size(); ++r) levels_[problem.block_of_row[r]] = start[r];
  }

  void sweep(Visits visits) {
    sums_ = total(problem_, parts_);  // summed afresh, so that rounding does not pile up over sweeps
    for (std::size_t b = 0; b < problem_.blocks() && !stopped(stop_);) {
      const std::size_t end = visits == Visits::by_crown ? end_of_crown(b) : b + 1;
      if (end == b + 1)
        set({b}, best_of({b}));
      else
        visit_crown(b, end);
      b = end;
    }
  }

  [[nodiscard]] State state() const { return total(problem_, parts_); }
  std::vector<double> take_levels() { return std::move(levels_); }

 private:
  [[nodiscard]] std::size_t end_of_crown(std::size_t row) const {
    const std::int32_t crown = tally_.rows[row].distance;
    while (row < tally_.rows.size() && tally_.rows[row].distance == crown) ++row;
    return row;
  }

  /// The line of blocks that share a level.
  Line line_of(const std::vector<std::size_t>& blocks) {
    Line line(problem_, blocks.front(), sums_);
    for (const std::size_t b : blocks) add(line.rest, parts_[b], -1);
    if (blocks.size() == 1) return line;
    share_.assign(problem_.panel.count(), 0);
    line.voxels = 0;
    for (const std::size_t b : blocks) {
      line.voxels += problem_.voxels[b];
      for (std::size_t k = 0; k < share_.size(); ++k) share_[k] += problem_.share_of(b)[k];
    }
    line.share = share_.data();
    return line;
  }

  double best_of(const std::vector<std::size_t>& blocks) { return minimise(line_of(blocks)); }

  void set(const std::vector<std::size_t>& blocks, double level) {
    for (const std::size_t b : blocks) {
      add(sums_, parts_[b], -1);
      set_part(problem_, b, level, parts_[b]);
      levels_[b] = level;
      add(sums_, parts_[b], 1);
    }
  }

  [[nodiscard]] Candidate candidate(std::size_t block) {
    const Line line = line_of({block});
    Candidate c{.block = block, .now = levels_[block], .best = minimise(line)};
    c.change = difference(line, c.best, c.now).value;
    c.unit = difference(line, 1, 0).terms;
    return c;
  }

  void visit_crown(std::size_t begin, std::size_t end) {
    std::vector<Candidate> candidates;
    for (std::size_t b = begin; b < end && !stopped(stop_); ++b) candidates.push_back(candidate(b));
    bool moved = false;  // since the candidates were looked at
    for (const Visit& visit : order_visits(problem_, std::move(candidates))) {
      if (stopped(stop_)) return;
      std::vector<std::size_t> blocks;
      for (const Candidate& c : visit) blocks.push_back(c.block);
      const bool known = !moved && blocks.size() == 1;
      const double level = known ? visit.front().best : best_of(blocks);
      moved = moved || level != visit.front().now;
      set(blocks, level);
    }
  }

  const Problem& problem_;
  const Tally& tally_;
  const Stop& stop_;
  std::vector<Part> parts_;
  std::vector<double> levels_, share_;
  State sums_;
};

}  // namespace

Descent descend(const Problem& problem, const Tally& tally, const Levels& start, Visits visits,
                const Stop& stop, double settled) {
  Descent result;
  Walk walk(problem, tally, start, stop);
  double last = INFINITY, present = 0;
  for (result.sweeps = 0; result.sweeps < kMaxSweeps; ++result.sweeps) {
    walk.sweep(visits);
    present = present_criterion(problem, walk.state());
    if (!(last - present > settled * present) || stopped(stop)) break;
    last = present;
  }
  result.criterion = problem.panel.absent + present;
  result.levels = walk.take_levels();
  return result;
}

}  // namespace crema
