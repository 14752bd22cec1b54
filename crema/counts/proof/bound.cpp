// SPDX-License-Identifier: Apache-2.0
#include "crema/counts/proof/bound.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "crema/counts/discrepancy.h"
#include "crema/counts/proof/incumbent.h"
#include "crema/counts/proof/patience.h"
#include "crema/counts/proof/relaxation.h"

namespace crema {
namespace {

struct Node {
  Domain region;
  Priced priced;
  double reference;  ///< extent at which the prices were made
};

struct HigherBound {
  bool operator()(const Node& a, const Node& b) const { return a.priced.bound > b.priced.bound; }
};

/// What a node's bound gives away, by cause.
struct Loss {
  double extent = 0;    ///< by letting T range
  double envelope = 0;  ///< by the straight parts of the envelopes
  std::size_t rater = 0;
  double rater_u = 0;
};

/// Where to part a rater's range of shares: at the end of the concave stretch, if the share lies beyond it,
/// for the envelope is exact on the far side; else at the share, where both envelopes are.
double cut_of(const Envelope& e, double u) {
  const double turn = e.curve.turn();
  if (e.low < turn && e.high > turn && u > 1.04 * turn) return turn;
  const double margin = 0.1 * (e.high - e.low);
  return std::clamp(u, e.low + margin, e.high - margin);
}

class Prover {
 public:
  Prover(const Problem& problem, Incumbent& incumbent, double ceiling, const Budget& budget, Wanted wanted)
      : relaxation_(relax(problem)),
        incumbent_(incumbent),
        ceiling_(ceiling),
        budget_(budget),
        may_give_up_(wanted == Wanted::bound && budget.nodes == 0),
        max_nodes_(budget.nodes > 0 ? budget.nodes : affordable_nodes(relaxation_)) {}

  Proof run() {
    seed();
    while (!open_.empty() && open_.top().priced.bound < target() && !spent()) {
      const Node node = open_.top();
      open_.pop();
      expand(node);
    }
    const double lowest = open_.empty() ? closed_ : std::min(closed_, open_.top().priced.bound);
    const double value = incumbent_.criterion();
    const double bound = std::max(relaxation_.absent, std::min(lowest, value));  // squares are not negative
    double allowed = tolerance();
    if (hard() && !stopped(budget_.stop)) allowed = std::max(allowed, incumbent_.worth_of_a_voxel());
    return {incumbent_.levels(), value, bound, goal() - bound <= allowed, nodes_};
  }

 private:
  [[nodiscard]] bool hard() const { return incumbent_.hard(); }
  [[nodiscard]] double voxel() const { return 1 / relaxation_.unit; }
  /// The best criterion that is known to be reached.
  [[nodiscard]] double goal() const { return std::min(ceiling_, incumbent_.criterion()); }
  [[nodiscard]] double tolerance() const {
    return (hard() ? kHardTolerance : kSoftTolerance) * std::max(goal(), 1e-3);
  }
  [[nodiscard]] double target() const { return goal() - tolerance(); }
  bool spent() {
    if (nodes_ >= max_nodes_ || stopped(budget_.stop)) return true;
    const double gap = goal() - open_.top().priced.bound;
    if (hard() && nodes_ >= kPolishNodes && gap <= incumbent_.worth_of_a_voxel()) return true;
    return may_give_up_ && gives_up(gap);
  }

  /// Where the gap hardly falls any more. Within a voxel's worth it may still close, unless it is rounding by
  /// now; else a quarter of the nodes must be spent, for a gap can stand still for a while and then fall.
  bool gives_up(double gap) {
    history_.note(nodes_, gap);
    const int left = max_nodes_ - nodes_;
    if (nodes_ < kPatientNodes || !history_.is_hopeless(left, tolerance())) return false;
    const double worth = hard() ? incumbent_.worth_of_a_voxel() : 0;
    if (gap <= worth) return gap <= kRounding * goal();
    return nodes_ >= max_nodes_ / 4 && history_.is_hopeless(left, std::max(tolerance(), worth));
  }

  /// A stretch of extents around the incumbent's is settled by the incumbent's own prices, if it is the
  /// minimum; only what lies to the left and to the right of it then remains to be searched.
  void seed() {
    Domain all = whole(relaxation_);
    if (hard()) all.low = voxel();
    const Priced own{prices_at(relaxation_, incumbent_.levels()), incumbent_.levels(), -1};
    const double centre = incumbent_.extent() / relaxation_.unit;
    for (int halvings = 1; halvings < 24 && !stopped(budget_.stop); ++halvings) {
      const double half = std::ldexp(1.0, -halvings);
      Domain middle = all;
      middle.low = std::max(all.low, snap_down(centre - half));
      middle.high = std::min(all.high, snap_up(centre + half));
      tighten(relaxation_, middle);
      ++nodes_;
      const double here = bound(relaxation_, middle, own.prices);
      if (here < target()) continue;
      closed_ = std::min(closed_, here);
      if (middle.low > all.low) push(slice(all, all.low, below(middle.low)), own);
      if (middle.high < all.high) push(slice(all, above(middle.high), all.high), own);
      return;
    }
    push(all, own);
  }

  // Extents of a hard consensus are whole voxels.
  [[nodiscard]] double snap_down(double t) const {
    return hard() ? std::floor(t * relaxation_.unit + 1e-6) * voxel() : t;
  }
  [[nodiscard]] double snap_up(double t) const {
    return hard() ? std::ceil(t * relaxation_.unit - 1e-6) * voxel() : t;
  }
  [[nodiscard]] double below(double t) const { return hard() ? t - voxel() : t; }
  [[nodiscard]] double above(double t) const { return hard() ? t + voxel() : t; }

  static Domain slice(Domain region, double low, double high) {
    region.low = low;
    region.high = std::max(low, high);
    return region;
  }

  /// Settles a part of a node, or keeps it for later.
  void push(Domain region, const Priced& parent) {
    if (region.high < region.low) return;
    tighten(relaxation_, region);
    ++nodes_;
    const double centre = incumbent_.extent() / relaxation_.unit;
    const double reference =
        centre > region.low && centre < region.high ? centre : 0.5 * (region.low + region.high);
    if (stopped(budget_.stop)) return open_.push({std::move(region), parent, reference});
    Priced priced = best_prices(relaxation_, region, reference, parent, target(), budget_.stop);
    // Prices from far away can lead the ascent astray; a plain start is tried where they gained nothing.
    if (priced.bound < target() && priced.bound <= parent.bound) {
      Priced plain =
          best_prices(relaxation_, region, reference, plain_start(reference), target(), budget_.stop);
      if (plain.bound > priced.bound) priced = std::move(plain);
    }
    incumbent_.offer(priced.levels);
    priced.bound = std::max(priced.bound, parent.bound);  // a part is never below the whole
    if (priced.bound >= target()) return close(priced.bound);
    open_.push({std::move(region), std::move(priced), reference});
  }

  /// Prices as if every rater had a middling overlap at this extent.
  [[nodiscard]] Priced plain_start(double reference) const {
    const double u = 0.6 * relaxation_.curve.most();
    Priced start{{}, incumbent_.levels(), -1};
    for (std::size_t k = 0; k < relaxation_.raters(); ++k) {
      start.prices.rater.push_back(-relaxation_.weight[k] * relaxation_.curve.slope(u) /
                                   relaxation_.both(reference, k));
      start.prices.extent += relaxation_.ratio.extent * start.prices.rater[k] * u;
    }
    return start;
  }

  void close(double bound) { closed_ = std::min(closed_, bound); }

  void expand(const Node& node) {
    const Domain& region = node.region;
    const Loss loss = losses(node);
    const bool can_split_extent = region.high - region.low > (hard() ? 0.5 * voxel() : 1e-12);
    const double gap = target() - node.priced.bound;
    if (can_split_extent && wide(region)) return split_extent(node);
    if (loss.envelope > 0.1 * gap) return split_share(node, loss);
    if (can_split_extent && (!hard() || loss.extent > 0.01 * gap || !max_fractional(node)))
      return split_extent(node);
    if (hard() && split_levels(node)) return;
    if (loss.envelope > 0) return split_share(node, loss);
    close(node.priced.bound);
  }

  [[nodiscard]] Loss losses(const Node& node) const {
    const auto& levels = node.priced.levels;
    const Domain there = slice(node.region, node.reference, node.reference);
    Loss loss{.extent = bound(relaxation_, there, node.priced.prices) - node.priced.bound};
    double extent = 0;
    std::vector<double> overlap(relaxation_.raters(), 0);
    for (std::size_t g = 0; g < relaxation_.groups(); ++g) {
      extent += relaxation_.voxels[g] * (relaxation_.squared ? levels[g] * levels[g] : levels[g]);
      for (const std::uint32_t k : relaxation_.members[g]) overlap[k] += relaxation_.voxels[g] * levels[g];
    }
    double worst = 0;
    for (std::size_t k = 0; k < relaxation_.raters(); ++k) {
      const Envelope e(relaxation_.curve, node.region.u_low[k], node.region.u_high[k]);
      const double u = std::clamp(overlap[k] / relaxation_.both(extent, k), e.low, e.high);
      const double lost = relaxation_.weight[k] * (e.curve.value(u) - e.value(u));
      loss.envelope += lost;
      if (lost > worst && e.high - e.low > 1e-9) {
        worst = lost;
        loss.rater = k;
        loss.rater_u = cut_of(e, u);
      }
    }
    if (worst == 0) loss.envelope = 0;
    return loss;
  }

  /// True where prices of one extent can say little about another: the smallest rater sees T + s change much.
  [[nodiscard]] bool wide(const Domain& region) const {
    const double smallest = *std::min_element(relaxation_.size.begin(), relaxation_.size.end());
    return region.high + smallest > 2 * (region.low + smallest);
  }

  void split_extent(const Node& node) {
    const double low = node.region.low, high = node.region.high;
    const double middle =
        snap_down(low > 0 && wide(node.region) ? std::sqrt(low * high) : 0.5 * (low + high));
    push(slice(node.region, node.region.low, middle), node.priced);
    if (above(middle) <= node.region.high)
      push(slice(node.region, above(middle), node.region.high), node.priced);
  }

  void split_share(const Node& node, const Loss& loss) {
    Domain part = node.region;
    part.u_high[loss.rater] = loss.rater_u;
    push(part, node.priced);
    part = node.region;
    part.u_low[loss.rater] = loss.rater_u;
    push(part, node.priced);
  }

  /// The group whose relaxed number of voxels is farthest from a whole one, if any is not whole.
  [[nodiscard]] std::optional<std::size_t> max_fractional(const Node& node) const {
    double worst = 1e-7;
    std::optional<std::size_t> group;
    for (std::size_t g = 0; g < relaxation_.groups(); ++g) {
      const double count = node.priced.levels[g] * voxels_in(g),
                   fraction = std::abs(count - std::round(count));
      if (node.region.x_high[g] - node.region.x_low[g] > 1e-9 && fraction > worst) {
        worst = fraction;
        group = g;
      }
    }
    return group;
  }

  [[nodiscard]] double voxels_in(std::size_t group) const {
    return relaxation_.voxels[group] * relaxation_.unit;
  }

  /// Parts a group between two whole numbers of voxels; false when every group has but one left.
  bool split_levels(const Node& node) {
    const auto group = max_fractional(node);
    if (!group) return split_range(node);
    cut(node, *group, std::floor(node.priced.levels[*group] * voxels_in(*group)));
    return true;
  }

  /// Halves the widest range of levels when the relaxed levels are whole and the bound still is not tight.
  bool split_range(const Node& node) {
    double widest = 0.5;
    std::size_t group = 0;
    for (std::size_t g = 0; g < relaxation_.groups(); ++g) {
      const double range =
          (node.region.x_high[g] - node.region.x_low[g]) * relaxation_.voxels[g] * relaxation_.unit;
      if (range > widest) {
        widest = range;
        group = g;
      }
    }
    if (widest == 0.5) return false;
    cut(node, group,
        std::floor(0.5 * (node.region.x_low[group] + node.region.x_high[group]) * voxels_in(group)));
    return true;
  }

  void cut(const Node& node, std::size_t group, double whole_voxels) {
    const double n = voxels_in(group);
    Domain part = node.region;
    part.x_high[group] = std::max(part.x_low[group], whole_voxels / n);
    push(part, node.priced);
    part = node.region;
    part.x_low[group] = std::min(part.x_high[group], (whole_voxels + 1) / n);
    push(part, node.priced);
  }

  Relaxation relaxation_;
  Incumbent& incumbent_;
  double ceiling_;
  Budget budget_;
  bool may_give_up_;
  int max_nodes_;
  GapHistory history_;
  std::priority_queue<Node, std::vector<Node>, HigherBound> open_;
  double closed_ = INFINITY;  ///< least bound of the nodes that were settled
  int nodes_ = 0;
};

/// What can be said when nothing is left of the budget: the best of the starts, or all of the component.
Proof unproven(const Problem& problem, std::vector<Levels> starts) {
  starts.emplace_back(problem.blocks(), 1);
  Proof proof{.criterion = INFINITY, .lower_bound = problem.panel.absent};
  for (Levels& start : starts) {
    const State state = sum_up(problem, start);
    const double value = criterion(problem, state);
    if (state.extent == 0 || !(value < proof.criterion)) continue;
    proof.criterion = value;
    proof.levels = std::move(start);
  }
  return proof;
}

}  // namespace

Proof prove_groups(const Tally& groups, const Distance& distance, const std::vector<double>& weights,
                   const std::vector<Levels>& starts, double ceiling, const Budget& budget, Wanted wanted) {
  const Problem problem = make_problem(groups, distance, weights, Blocks::group);
  // Nobody who counts drew anything here: all that is not empty is equally bad.
  if (problem.panel.count() == 0)
    return {Levels(groups.rows.size(), 1), problem.panel.absent, problem.panel.absent, true, 0};
  const Budget running = started(budget);
  if (stopped(running.stop)) return unproven(problem, starts);
  Incumbent incumbent(problem, groups, starts, running.stop);
  return Prover(problem, incumbent, ceiling, running, wanted).run();
}

}  // namespace crema
