// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/near_optimal.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <utility>

namespace crema {
namespace {

constexpr int kMoves = 300, kSweeps = 12, kHalvings = 40, kNearVoxels = 4;
constexpr std::size_t kMaxExchanged = 64;  // pairs of more blocks are not tried

/// Levels of a component with what is needed to move them.
class LevelSearch {
 public:
  LevelSearch(const Problem& problem, std::vector<double> levels)
      : problem_(&problem), levels_(std::move(levels)) {
    refresh();
  }

  [[nodiscard]] const std::vector<double>& levels() const { return levels_; }
  [[nodiscard]] double value() const { return value_of(state_); }
  [[nodiscard]] double size() const {
    double sum = 0;
    for (std::size_t b = 0; b < levels_.size(); ++b) sum += problem_->voxels[b] * levels_[b];
    return sum;
  }

  void set(std::size_t block, double level) {
    levels_[block] = level;
    refresh();
  }

  /// Gives or takes voxels where that costs least until the consensus has that size.
  void resize(double wanted) {
    for (int n = 0; n < kMoves && std::abs(wanted - size()) > 1e-9 * (1 + wanted); ++n) {
      const double missing = wanted - size();
      const std::vector<double> slope = slopes();
      const std::size_t best = pick(slope, missing > 0 ? Way::gain : Way::lose, npos);
      if (best == npos) return;
      const double room = missing > 0 ? 1 - levels_[best] : -levels_[best];
      // In parts, since what is cheap at first may not stay so.
      const double part = std::max(std::abs(missing) / 2, 0.02 * problem_->voxels[best]);
      const double step = std::copysign(std::min(part, std::abs(missing)), missing) / problem_->voxels[best];
      levels_[best] += std::abs(step) < std::abs(room) ? step : room;
      refresh();
    }
  }

  /// The least criterion of this size: voxels go from the group that loses them best to the one that gains
  /// most, as long as that pays. Stops once the goal is reached.
  void settle(double goal) {
    for (int n = 0; n < kMoves && value() > goal; ++n) {
      const std::vector<double> slope = slopes();
      const std::size_t to = pick(slope, Way::gain, npos), from = pick(slope, Way::lose, to);
      if (to == npos || from == npos || slope[from] <= slope[to]) return;
      const double most =
          std::min(problem_->voxels[from] * levels_[from], problem_->voxels[to] * (1 - levels_[to]));
      const double before = value();
      const double moved = best_along(most, [&](double voxels) {
        State state = state_;
        shift(state, from, -voxels / problem_->voxels[from]);
        shift(state, to, voxels / problem_->voxels[to]);
        return value_of(state);
      });
      if (moved == 0) return;
      levels_[from] = std::max(0.0, levels_[from] - moved / problem_->voxels[from]);
      levels_[to] = std::min(1.0, levels_[to] + moved / problem_->voxels[to]);
      refresh();
      if (before - value() < 1e-10 * before) return;
    }
  }

  /// The least criterion with one block held: the others one after the other. Stops once the goal is reached.
  void descend(double goal, std::size_t held) {
    for (int sweep = 0; sweep < kSweeps && value() > goal; ++sweep) {
      const double before = value();
      for (std::size_t b = 0; b < levels_.size() && value() > goal; ++b) {
        if (b == held) continue;
        const double old = levels_[b];
        const double found = best_along(1, [&](double level) {
          State state = state_;
          shift(state, b, level - old);
          return value_of(state);
        });
        State state = state_;
        shift(state, b, found - old);
        if (value_of(state) < value()) set(b, found);
      }
      if (before - value() < 1e-9 * before) return;
    }
  }

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// For masks: a voxel more (1) or fewer (-1) where that costs least; false where there is no room.
  bool add_voxel(double voxels, std::size_t held = npos) {
    std::size_t best = npos;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < levels_.size(); ++b) {
      if (b == held || !has_room(b, voxels)) continue;
      const double found = value_after({{b, voxels}});
      if (found >= least) continue;
      least = found;
      best = b;
    }
    if (best == npos) return false;
    move(best, voxels);
    return true;
  }

  /// For masks: exchanges a voxel of one block for one of another as long as that pays. Stops once the goal
  /// is reached.
  void exchange(double goal, std::size_t held = npos) {
    if (levels_.size() > kMaxExchanged) return;
    for (int n = 0; n < kMoves && value() > goal; ++n) {
      double least = value() * (1 - 1e-12);
      std::size_t from = npos, to = npos;
      for (std::size_t a = 0; a < levels_.size(); ++a)
        for (std::size_t b = 0; b < levels_.size(); ++b) {
          if (a == b || a == held || b == held || !has_room(a, -1) || !has_room(b, 1)) continue;
          const double found = value_after({{a, -1.0}, {b, 1.0}});
          if (found >= least) continue;
          least = found;
          from = a;
          to = b;
        }
      if (from == npos) return;
      move(from, -1);
      move(to, 1);
    }
  }

 private:
  enum class Way { gain, lose };

  [[nodiscard]] bool has_room(std::size_t block, double voxels) const {
    const double after = levels_[block] * problem_->voxels[block] + voxels;
    return after > -0.5 && after < problem_->voxels[block] + 0.5;
  }

  [[nodiscard]] double value_after(std::initializer_list<std::pair<std::size_t, double>> moved) const {
    State state = state_;
    for (const auto& [block, voxels] : moved) shift(state, block, voxels / problem_->voxels[block]);
    return value_of(state);
  }

  void move(std::size_t block, double voxels) {
    set(block, std::round(levels_[block] * problem_->voxels[block] + voxels) / problem_->voxels[block]);
  }

  void refresh() { state_ = sum_up(*problem_, levels_); }

  [[nodiscard]] double value_of(const State& state) const {
    // Whoever is absent costs as much as in every other consensus that is not empty: nobody walks to 0.
    return state.extent > 0 ? criterion(*problem_, state)
                            : empty_criterion(problem_->panel) + problem_->panel.absent;
  }

  /// A state after one level has moved.
  void shift(State& state, std::size_t block, double by) const {
    const double old = levels_[block], now = old + by;
    state.extent += problem_->voxels[block] * (squares(problem_->distance) ? now * now - old * old : by);
    for (std::size_t k = 0; k < problem_->panel.count(); ++k)
      state.overlap[k] += problem_->share_of(block)[k] * by;
  }

  /// What one voxel more of each block does to the criterion.
  [[nodiscard]] std::vector<double> slopes() const {
    const Panel& panel = problem_->panel;
    std::vector<double> overlap(panel.count());
    double extent = 0;
    std::visit(
        [&](const auto& formula) {
          for (std::size_t k = 0; k < panel.count(); ++k) {
            const double d = formula.inner(state_.overlap[k], state_.extent, panel.size[k]);
            const Fall fall = formula.fall(panel.weight[k] * formula.outer(d), state_.overlap[k],
                                           state_.extent, panel.size[k]);
            overlap[k] = fall.overlap;
            extent += fall.extent;
          }
        },
        formula_of(problem_->distance));
    std::vector<double> slope(levels_.size());
    for (std::size_t b = 0; b < slope.size(); ++b) {
      slope[b] = extent * (squares(problem_->distance) ? 2 * levels_[b] : 1);
      for (std::size_t k = 0; k < panel.count(); ++k)
        slope[b] -= overlap[k] * problem_->share_of(b)[k] / problem_->voxels[b];
    }
    return slope;
  }

  /// The block with room that gains or loses voxels best.
  [[nodiscard]] std::size_t pick(const std::vector<double>& slope, Way way, std::size_t but) const {
    std::size_t best = npos;
    for (std::size_t b = 0; b < slope.size(); ++b) {
      const bool room = way == Way::gain ? levels_[b] < 1 - 1e-12 : levels_[b] > 1e-12;
      if (!room || b == but) continue;
      if (best == npos || (way == Way::gain ? slope[b] < slope[best] : slope[b] > slope[best])) best = b;
    }
    return best;
  }

  /// Where a function is least between 0 and `most`: by thirds, with both ends.
  template <class F>
  static double best_along(double most, F f) {
    double low = 0, high = most;
    for (int n = 0; n < kHalvings && high - low > 1e-9 * most; ++n) {
      const double one = low + (high - low) / 3, two = high - (high - low) / 3;
      (f(one) <= f(two) ? high : low) = f(one) <= f(two) ? two : one;
    }
    double best = (low + high) / 2;
    for (const double end : {0.0, most})
      if (f(end) <= f(best)) best = end;
    return best;
  }

  const Problem* problem_;
  std::vector<double> levels_;
  State state_;
};

/// Whole voxels of each block, as near as can be.
std::vector<double> whole_voxels(const Problem& problem, std::vector<double> levels) {
  for (std::size_t b = 0; b < levels.size(); ++b)
    levels[b] = std::round(levels[b] * problem.voxels[b]) / problem.voxels[b];
  return levels;
}

/// From a mask on, a voxel more (1) or fewer (-1) each time, as long as it keeps below the bound; its size.
double farthest_mask(LevelSearch search, double voxels, double bound) {
  double known = search.size();
  for (int n = 0; n < kMoves && search.add_voxel(voxels) && search.size() > 0.5; ++n) {
    search.exchange(bound);
    if (search.value() > bound) break;
    known = search.size();
  }
  return known;
}

/// The farthest size in one direction that keeps below the bound: between the size of the start, which does,
/// and the end.
double farthest_size(const Problem& problem, const std::vector<double>& start, double end, double voxels,
                     double bound) {
  LevelSearch near(problem, start), last = near;
  double known = near.size(), beyond = end;
  const bool whole = is_hard(problem.distance);
  for (int n = 0; n < kHalvings && std::abs(beyond - known) > (whole ? 0.5 : 1e-4 * (1 + known)); ++n) {
    const double tried = (known + beyond) / 2;
    LevelSearch search = near;
    search.resize(tried);
    search.settle(bound);
    LevelSearch rounded(problem, whole ? whole_voxels(problem, search.levels()) : search.levels());
    if (whole) rounded.exchange(bound);
    const bool nearer = voxels * rounded.size() < voxels * known;  // rounding went back
    if (rounded.value() <= bound && rounded.size() > 0 && !nearer) {
      known = rounded.size();
      near = search;
      last = rounded;
    } else {
      beyond = tried;
    }
  }
  return whole ? farthest_mask(std::move(last), voxels, bound) : known;
}

/// Whether a mask below the bound is near, one block held.
bool reaches_mask(const LevelSearch& start, std::size_t block, double bound) {
  for (const double voxels : {0.0, 1.0, -1.0}) {
    LevelSearch search = start;
    for (int n = 0; n < kNearVoxels; ++n) {
      search.exchange(bound, block);
      if (search.value() <= bound && search.size() > 0) return true;
      if (voxels == 0 || !search.add_voxel(voxels, block)) break;
    }
  }
  return false;
}

bool reaches(const Problem& problem, const std::vector<double>& start, std::size_t block, double level,
             double bound) {
  if (start[block] == level) return true;
  LevelSearch search(problem, start);
  search.set(block, level);
  search.descend(bound, block);
  if (!is_hard(problem.distance)) return search.value() <= bound && search.size() > 0;
  return reaches_mask(LevelSearch(problem, whole_voxels(problem, search.levels())), block, bound);
}

}  // namespace

NearOptimal find_near_optimal(const Problem& problem, const std::vector<double>& levels, double least,
                              double factor, EmptyTest empty) {
  const double bound = least * factor * (1 + 1e-12);
  const bool kept = std::any_of(levels.begin(), levels.end(), [](double x) { return x > 0; });
  NearOptimal found;
  std::vector<double> start = levels;
  if (!kept) {
    LevelSearch search(problem, std::vector<double>(levels.size(), 1.0));
    search.descend(bound, LevelSearch::npos);
    start = search.levels();
    if (search.value() > bound) return found;  // nothing but the empty consensus
  }
  const double all = std::accumulate(problem.voxels.begin(), problem.voxels.end(), 0.0);
  found.smallest = farthest_size(problem, start, 0, -1, bound);
  found.largest = farthest_size(problem, start, all, 1, bound);
  const double none = empty_criterion(problem.panel);
  found.optional = !kept || (empty == EmptyTest::apply && none <= bound);
  if (found.optional) found.smallest = 0;
  for (std::size_t b = 0; b < start.size(); ++b)
    if (reaches(problem, start, b, 0, bound) && reaches(problem, start, b, 1, bound))
      found.undecided.push_back(b);
  return found;
}

}  // namespace crema
