// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <compare>
#include <span>
#include <tuple>

#include "crema/counts/draft.h"
#include "crema/counts/solvers.h"

namespace crema {
namespace {

enum class Pass : std::uint8_t { shrink, grow };

/// A range of rows at one distance.
struct Crown {
  std::size_t begin, end;
};

std::vector<Crown> crowns_of(const Tally& tally) {
  std::vector<Crown> crowns;
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    if (r == 0 || tally.rows[r].distance != tally.rows[r - 1].distance) crowns.push_back({r, r});
    crowns.back().end = r + 1;
  }
  return crowns;
}

struct Candidate {
  std::size_t row;
  double value;         ///< of the draft with this row alone changed
  Precise precise = 0;  ///< the same, computed only for near-ties
  int rank = 0;         ///< equal among candidates whose values are equal
};

/// One of the two greedy passes over a component.
class Walk {
 public:
  Walk(const Tally& tally, Distance distance, Pass pass)
      : tally_(tally),
        pass_(pass),
        draft_(tally, distance),
        levels_(tally.rows.size(), pass == Pass::shrink ? 1 : 0) {
    const auto crowns = crowns_of(tally);
    if (pass == Pass::shrink) {
      for (const Subcrown& row : tally.rows) draft_.add(row);
      start();
      for (auto crown = crowns.rbegin(); crown != crowns.rend() && visit(*crown); ++crown) {
      }
    } else {
      for (std::size_t r = crowns.front().begin; r < crowns.front().end; ++r) change(r);
      start();
      for (auto crown = crowns.begin() + 1; crown != crowns.end() && visit(*crown); ++crown) {
      }
    }
  }

  [[nodiscard]] const Draft& draft() const { return draft_; }
  Levels take_levels() { return std::move(levels_); }

 private:
  void start() { value_ = draft_.value(); }

  void toggle(std::size_t row, bool in) {
    if (in)
      draft_.add(tally_.rows[row]);
    else
      draft_.remove(tally_.rows[row]);
  }
  void change(std::size_t row) {
    const bool in = levels_[row] == 0;
    toggle(row, in);
    levels_[row] = in ? 1 : 0;
  }
  template <class Read>
  auto with_change(std::size_t row, Read read) {
    const bool in = levels_[row] == 0;
    toggle(row, in);
    const auto result = read(draft_);
    toggle(row, !in);
    return result;
  }

  /// Tries every subcrown of the crown; false when none was accepted.
  bool visit(const Crown& crown) {
    bool accepted = false;
    for (const std::size_t row : order_of(crown)) {
      const double value = with_change(row, [](const Draft& d) { return d.value(); });
      if (!lowers(row, value)) continue;
      change(row);
      value_ = value;
      accepted = true;
    }
    return accepted;
  }

  bool lowers(std::size_t row, double value) {
    if (!nearly_equal(value, value_)) return value < value_;
    const Precise candidate = with_change(row, [](const Draft& d) { return d.precise_value(); });
    return compare_precise(candidate, draft_.precise_value()) < 0;
  }

  /// Lowest value first; on exact ties fewer raters first when shrinking, more when growing; then the row.
  std::vector<std::size_t> order_of(const Crown& crown) {
    std::vector<Candidate> candidates;
    for (std::size_t row = crown.begin; row < crown.end; ++row)
      candidates.push_back({row, with_change(row, [](const Draft& d) { return d.value(); })});
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.value, a.row) < std::tie(b.value, b.row);
    });
    for (auto first = candidates.begin(); first != candidates.end();) {
      auto last = first + 1;
      while (last != candidates.end() && nearly_equal((last - 1)->value, last->value)) ++last;
      if (last - first > 1) settle({first, last});
      first = last;
    }
    std::vector<std::size_t> order;
    for (const Candidate& candidate : candidates) order.push_back(candidate.row);
    return order;
  }

  void settle(std::span<Candidate> near) {
    for (Candidate& c : near)
      c.precise = with_change(c.row, [](const Draft& d) { return d.precise_value(); });
    std::sort(near.begin(), near.end(),
              [](const Candidate& a, const Candidate& b) { return a.precise < b.precise; });
    for (std::size_t i = 1; i < near.size(); ++i)
      near[i].rank = near[i - 1].rank + (compare_precise(near[i].precise, near[i - 1].precise) > 0 ? 1 : 0);
    std::sort(near.begin(), near.end(), [&](const Candidate& a, const Candidate& b) {
      const int na = raters_of(a), nb = raters_of(b);
      return std::tie(a.rank, na, a.row) < std::tie(b.rank, nb, b.row);
    });
  }

  [[nodiscard]] int raters_of(const Candidate& candidate) const {
    const int raters = std::popcount(tally_.rows[candidate.row].raters);
    return pass_ == Pass::shrink ? raters : -raters;
  }

  const Tally& tally_;
  Pass pass_;
  Draft draft_;
  Levels levels_;
  double value_ = 0;
};

std::weak_ordering compare(const Draft& a, const Draft& b) {
  const double va = a.value(), vb = b.value();
  if (!nearly_equal(va, vb)) return va < vb ? std::weak_ordering::less : std::weak_ordering::greater;
  return compare_precise(a.precise_value(), b.precise_value());
}

Levels solve_greedily(const Tally& tally, Distance distance, Tie tie) {
  if (tally.rows.empty()) return {};
  Walk shrink(tally, distance, Pass::shrink);
  Walk grow(tally, distance, Pass::grow);
  Walk& best = compare(grow.draft(), shrink.draft()) < 0 ? grow : shrink;
  const Draft empty(tally, distance);
  const auto against_empty = compare(empty, best.draft());
  const bool dropped = against_empty < 0 || (against_empty == 0 && tie == Tie::background);
  return dropped ? Levels(tally.rows.size(), 0) : best.take_levels();
}

}  // namespace

Levels solve_jaccard(const Tally& tally, const SolveOptions& options) {
  return solve_greedily(tally, Distance::jaccard, options.tie);
}

Levels solve_dice(const Tally& tally, const SolveOptions& options) {
  return solve_greedily(tally, Distance::dice, options.tie);
}

}  // namespace crema
