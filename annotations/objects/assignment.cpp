// SPDX-License-Identifier: Apache-2.0
#include "annotations/objects/assignment.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema::annotations {
namespace {

constexpr std::size_t kMaxBlock = 1000;

/// Sets that are joined one by one.
class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t root(std::size_t of) {
    while (parent_[of] != of) of = parent_[of] = parent_[parent_[of]];
    return of;
  }
  void join(std::size_t a, std::size_t b) {
    parent_[std::max(root(a), root(b))] = std::min(root(a), root(b));
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Rows are given columns one after the other; each time along the cheapest path of exchanges, by prices of
/// rows and columns under which no pair is a bargain. At most as many rows as columns.
class Assigner {
 public:
  Assigner(std::size_t rows, std::size_t columns)
      : columns_(columns),
        cost_(rows * columns, 0),
        row_price_(rows, 0),
        column_price_(columns, 0),
        owner_(columns, rows) {}

  double& cost(std::size_t row, std::size_t column) { return cost_[row * columns_ + column]; }

  /// The row of each column; the number of rows where a column has none.
  const std::vector<std::size_t>& owners() {
    for (std::size_t row = 0; row < row_price_.size(); ++row) place(row);
    return owner_;
  }

 private:
  void place(std::size_t row) {
    const std::size_t none = row_price_.size();
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<double> distance(columns_, kFar);
    std::vector<std::size_t> before(columns_, columns_);  // columns_: the row itself
    std::vector<bool> reached(columns_, false);
    std::size_t last = columns_, at = row;
    double travelled = 0;
    while (true) {
      std::size_t nearest = columns_;
      for (std::size_t c = 0; c < columns_; ++c) {
        if (reached[c]) continue;
        const double there = travelled + cost(at, c) - row_price_[at] - column_price_[c];
        if (there < distance[c]) {
          distance[c] = there;
          before[c] = last;
        }
        if (nearest == columns_ || distance[c] < distance[nearest]) nearest = c;
      }
      travelled = distance[nearest];
      reached[nearest] = true;
      last = nearest;
      if (owner_[last] == none) break;
      at = owner_[last];
    }
    reprice(row, reached, distance, travelled);
    exchange(row, last, before);
  }

  void reprice(std::size_t row, const std::vector<bool>& reached, const std::vector<double>& distance,
               double travelled) {
    row_price_[row] += travelled;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (!reached[c]) continue;
      if (owner_[c] < row_price_.size()) row_price_[owner_[c]] += travelled - distance[c];
      column_price_[c] -= travelled - distance[c];
    }
  }

  void exchange(std::size_t row, std::size_t column, const std::vector<std::size_t>& before) {
    while (before[column] != columns_) {
      owner_[column] = owner_[before[column]];
      column = before[column];
    }
    owner_[column] = row;
  }

  std::size_t columns_;
  std::vector<double> cost_, row_price_, column_price_;
  std::vector<std::size_t> owner_;
};

/// Numbers from 0 on for what occurs.
std::map<std::size_t, std::size_t> numbered(std::span<const Match> pairs, std::size_t Match::*side) {
  std::map<std::size_t, std::size_t> places;
  for (const Match& one : pairs) places.emplace(one.*side, 0);
  std::size_t next = 0;
  for (auto& [own, place] : places) place = next++;
  return places;
}

/// Of a block: pairs that hang together.
void solve_block(std::span<const Match> pairs, std::vector<Match>& chosen) {
  if (pairs.size() == 1) return chosen.push_back(pairs.front());
  auto rows = numbered(pairs, &Match::row), columns = numbered(pairs, &Match::column);
  if (rows.size() + columns.size() > kMaxBlock)
    throw InputError(
        fmt::format("{} objects of two annotators overlap in one heap; at most {} can be matched.",
                    rows.size() + columns.size(), kMaxBlock));
  const bool turned = rows.size() > columns.size();
  Assigner assigner(std::min(rows.size(), columns.size()), std::max(rows.size(), columns.size()));
  const auto place = [&](const Match& one) {
    const std::size_t r = rows[one.row], c = columns[one.column];
    return turned ? std::pair(c, r) : std::pair(r, c);
  };
  for (const Match& one : pairs) assigner.cost(place(one).first, place(one).second) = -one.worth;
  const std::vector<std::size_t>& owners = assigner.owners();
  for (const Match& one : pairs)
    if (owners[place(one).second] == place(one).first) chosen.push_back(one);
}

}  // namespace

std::vector<Match> best_matches(std::span<const Match> pairs) {
  const auto rows = numbered(pairs, &Match::row), columns = numbered(pairs, &Match::column);
  Joined joined(rows.size() + columns.size());
  for (const Match& one : pairs) joined.join(rows.at(one.row), rows.size() + columns.at(one.column));
  std::map<std::size_t, std::vector<Match>> blocks;
  for (const Match& one : pairs) blocks[joined.root(rows.at(one.row))].push_back(one);
  std::vector<Match> chosen;
  for (const auto& [root, block] : blocks) solve_block(block, chosen);
  std::sort(chosen.begin(), chosen.end(), [](const Match& a, const Match& b) { return a.row < b.row; });
  return chosen;
}

}  // namespace crema::annotations
