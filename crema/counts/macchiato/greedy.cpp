// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <compare>
#include <numeric>
#include <span>
#include <tuple>

#include "crema/counts/macchiato/draft.h"
#include "crema/counts/macchiato/trace.h"
#include "crema/counts/solvers.h"

namespace crema {
namespace {

enum class Pass : std::uint8_t { shrink, grow };

/// Consecutive rows: a crown, or what is decided as one inside it.
struct Range {
  std::size_t begin, end;
};

std::vector<Range> crowns_of(const Tally& tally) {
  std::vector<Range> crowns;
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    if (r == 0 || tally.rows[r].distance != tally.rows[r - 1].distance) crowns.push_back({r, r});
    crowns.back().end = r + 1;
  }
  return crowns;
}

struct Row {
  Range rows;
  bool is_sorted = false;
  double value = 0;     ///< if sorted: of the draft with these rows alone changed
  Precise precise = 0;  ///< the same, computed only for near-ties
  int rank = 0;         ///< equal among candidates whose values are equal
};

/// One of the two greedy passes over a component. Once stopped it ends where it is. Where somebody wants
/// to know, it reports its path.
class GreedyWalk {
 public:
  GreedyWalk(const Tally& tally, const Distance& distance, const SolveOptions& options, Pass pass,
             PassTrace* trace = nullptr)
      : tally_(tally),
        pass_(pass),
        blocks_(options.blocks),
        stop_(options.budget.stop),
        trace_(trace),
        draft_(tally, distance, options.weights),
        levels_(tally.rows.size(), pass == Pass::shrink ? 1 : 0) {
    const auto crowns = crowns_of(tally);
    if (pass == Pass::shrink) {
      for (const Subcrown& row : tally.rows) draft_.add(row);
      start();
      for (auto crown = crowns.rbegin(); crown != crowns.rend() && visit(*crown); ++crown) {
      }
    } else {
      change(crowns.front());
      start();
      for (auto crown = crowns.begin() + 1; crown != crowns.end() && visit(*crown); ++crown) {
      }
    }
  }

  [[nodiscard]] const Draft& draft() const { return draft_; }
  Levels take_levels() { return std::move(levels_); }

 private:
  void start() {
    value_ = draft_.value();
    if (trace_ != nullptr) *trace_ = {draft_.voxels(), value_, {}};
  }

  void toggle(const Range& rows, bool in) {
    for (std::size_t r = rows.begin; r < rows.end; ++r)
      if (in)
        draft_.add(tally_.rows[r]);
      else
        draft_.remove(tally_.rows[r]);
  }
  void change(const Range& rows) {
    const bool in = levels_[rows.begin] == 0;
    toggle(rows, in);
    for (std::size_t r = rows.begin; r < rows.end; ++r) levels_[r] = in ? 1 : 0;
  }
  template <class Read>
  auto with_change(const Range& rows, Read read) {
    const bool in = levels_[rows.begin] == 0;
    toggle(rows, in);
    const auto result = read(draft_);
    toggle(rows, !in);
    return result;
  }

  /// Tries every block of the crown; false when none was accepted.
  bool visit(const Range& crown) {
    bool accepted = false;
    for (const Row& candidate : order_of(crown)) {
      if (stopped(stop_)) return false;
      const Range& rows = candidate.rows;
      // Until something is accepted, the draft is the one that was sorted by.
      const double value = candidate.is_sorted && !accepted ? candidate.value : value_with(rows);
      const bool better = lowers(rows, value);
      if (trace_ != nullptr) record(rows, value, better);
      if (!better) continue;
      change(rows);
      value_ = value;
      accepted = true;
    }
    return accepted;
  }

  void record(const Range& rows, double value, bool accepted) {
    const std::int64_t voxels = with_change(rows, [](const Draft& d) { return d.voxels(); });
    trace_->steps.push_back({tally_.rows[rows.begin].distance, voxels, value, accepted, rows.begin});
  }

  bool lowers(const Range& rows, double value) {
    if (!nearly_equal(value, value_)) return value < value_;
    const Precise candidate = with_change(rows, [](const Draft& d) { return d.precise_value(); });
    return compare_precise(candidate, draft_.precise_value()) < 0;
  }

  double value_with(const Range& rows) {
    return with_change(rows, [](const Draft& d) { return d.value(); });
  }

  /// Subcrowns go lowest value first; on exact ties fewer raters first when shrinking, more when growing;
  /// then by row. Voxels go in raster order.
  std::vector<Row> order_of(const Range& crown) {
    if (blocks_ == Blocks::crown) return {{.rows = crown}};
    std::vector<Row> order;
    for (std::size_t row = crown.begin; row < crown.end; ++row) order.push_back({.rows = {row, row + 1}});
    if (blocks_ == Blocks::subcrown) sort(order);
    return order;
  }

  void sort(std::vector<Row>& order) {
    for (Row& candidate : order) {
      if (stopped(stop_)) return order.clear();
      candidate.value = value_with(candidate.rows);
      candidate.is_sorted = true;
    }
    std::sort(order.begin(), order.end(), [](const Row& a, const Row& b) {
      return std::tie(a.value, a.rows.begin) < std::tie(b.value, b.rows.begin);
    });
    for (auto first = order.begin(); first != order.end();) {
      auto last = first + 1;
      while (last != order.end() && nearly_equal((last - 1)->value, last->value)) ++last;
      if (last - first > 1) settle({&*first, static_cast<std::size_t>(last - first)});
      first = last;
    }
  }

  void settle(std::span<Row> near) {
    for (Row& c : near)
      if (!stopped(stop_)) c.precise = with_change(c.rows, [](const Draft& d) { return d.precise_value(); });
    std::sort(near.begin(), near.end(), [](const Row& a, const Row& b) { return a.precise < b.precise; });
    for (std::size_t i = 1; i < near.size(); ++i)
      near[i].rank = near[i - 1].rank + (compare_precise(near[i].precise, near[i - 1].precise) > 0 ? 1 : 0);
    std::sort(near.begin(), near.end(), [&](const Row& a, const Row& b) {
      const int na = raters_of(a), nb = raters_of(b);
      return std::tie(a.rank, na, a.rows.begin) < std::tie(b.rank, nb, b.rows.begin);
    });
  }

  [[nodiscard]] int raters_of(const Row& candidate) const {
    const int raters = std::popcount(tally_.rows[candidate.rows.begin].raters);
    return pass_ == Pass::shrink ? raters : -raters;
  }

  const Tally& tally_;
  Pass pass_;
  Blocks blocks_;
  const Stop& stop_;
  PassTrace* trace_;
  Draft draft_;
  Levels levels_;
  double value_ = 0;
};

std::weak_ordering compare(const Draft& a, const Draft& b) {
  const double va = a.value(), vb = b.value();
  if (!nearly_equal(va, vb)) return va < vb ? std::weak_ordering::less : std::weak_ordering::greater;
  return compare_precise(a.precise_value(), b.precise_value());
}

}  // namespace

Levels solve_greedily(const Tally& tally, const Distance& distance, const SolveOptions& options) {
  if (tally.rows.empty()) return {};
  GreedyWalk shrink(tally, distance, options, Pass::shrink);
  GreedyWalk grow(tally, distance, options, Pass::grow);
  GreedyWalk& best = compare(grow.draft(), shrink.draft()) < 0 ? grow : shrink;
  if (options.empty_test == EmptyTest::skip) return best.take_levels();
  const auto against_empty = compare(Draft(tally, distance, options.weights), best.draft());
  const bool dropped = against_empty < 0 || (against_empty == 0 && options.tie == Tie::background);
  return dropped ? Levels(tally.rows.size(), 0) : best.take_levels();
}

Trace trace_greedily(const Tally& tally, const Distance& distance, const SolveOptions& options) {
  Trace trace;
  if (tally.rows.empty()) return trace;
  const GreedyWalk shrink(tally, distance, options, Pass::shrink, &trace.shrinking);
  const GreedyWalk grow(tally, distance, options, Pass::grow, &trace.growing);
  // The passes compare sums over the raters; people read means.
  const double raters = options.weights.empty()
                            ? static_cast<double>(tally.raters)
                            : std::accumulate(options.weights.begin(), options.weights.end(), 0.0);
  trace.empty = Draft(tally, distance, options.weights).value() / raters;
  for (PassTrace* pass : {&trace.shrinking, &trace.growing}) {
    pass->criterion /= raters;
    for (Step& step : pass->steps) step.criterion /= raters;
  }
  return trace;
}

Step end_of(const PassTrace& pass) {
  const auto last =
      std::find_if(pass.steps.rbegin(), pass.steps.rend(), [](const Step& step) { return step.accepted; });
  return last == pass.steps.rend() ? Step{0, pass.voxels, pass.criterion, true} : *last;
}

}  // namespace crema
