// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/maxflow.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

namespace crema {
namespace {

/// Two trees of arcs with room left, one grown from the source and one towards the sink, until they touch.
class SearchTrees {
 public:
  explicit SearchTrees(FlowGraph& graph)
      : g_(graph),
        tree_(g_.terminal.size(), Shore::either),
        parent_(g_.terminal.size(), kOrphan),
        waits_(g_.terminal.size(), 0),
        checked_(g_.terminal.size(), 0),
        depth_(g_.terminal.size(), 0) {
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (g_.terminal[i] == 0) continue;
      tree_[i] = g_.terminal[i] > 0 ? Shore::source : Shore::sink;
      parent_[i] = kRoot;
      depth_[i] = 1;
      wake(static_cast<std::int32_t>(i));
    }
  }

  std::vector<Shore> run() {
    while (const auto bridge = grow()) {
      ++round_;
      augment(*bridge);
      adopt();
    }
    return std::move(tree_);
  }

 private:
  static constexpr std::int8_t kRoot = -1, kOrphan = -2;

  /// An arc from a node of the source's tree to one of the sink's.
  struct Bridge {
    std::int32_t node;
    std::size_t d;
  };

  static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }

  /// The node above one that hangs from another.
  [[nodiscard]] std::int32_t above(std::int32_t node) const {
    return g_.neighbour[g_.arc(node, static_cast<std::uint8_t>(parent_[at(node)]))];
  }

  void wake(std::int32_t node) {
    if (waits_[at(node)] != 0) return;
    waits_[at(node)] = 1;
    active_.push_back(node);
  }

  /// What can flow between a node and its neighbour in direction d, away from the root in the source's tree
  /// and towards it in the sink's.
  [[nodiscard]] std::int32_t& room(Shore tree, std::int32_t node, std::size_t d) {
    return tree == Shore::source ? g_.residual[g_.arc(node, d)]
                                 : g_.residual[g_.arc(g_.neighbour[g_.arc(node, d)], g_.opposite(d))];
  }

  std::optional<Bridge> grow() {
    while (!active_.empty()) {
      const std::int32_t node = active_.front();
      if (tree_[at(node)] != Shore::either)
        if (const auto bridge = grow_from(node)) return bridge;
      active_.pop_front();
      waits_[at(node)] = 0;
    }
    return {};
  }

  std::optional<Bridge> grow_from(std::int32_t node) {
    const Shore mine = tree_[at(node)];
    for (std::size_t d = 0; d < g_.directions; ++d) {
      const std::int32_t other = g_.neighbour[g_.arc(node, d)];
      if (other == FlowGraph::kNone || room(mine, node, d) == 0) continue;
      if (tree_[at(other)] == Shore::either) {
        tree_[at(other)] = mine;
        hang(other, g_.opposite(d), node);
        wake(other);
      } else if (tree_[at(other)] != mine) {
        return mine == Shore::source ? Bridge{node, d} : Bridge{other, g_.opposite(d)};
      }
    }
    return {};
  }

  void hang(std::int32_t node, std::size_t d, std::int32_t parent) {
    parent_[at(node)] = static_cast<std::int8_t>(d);
    depth_[at(node)] = depth_[at(parent)] + 1;
    checked_[at(node)] = checked_[at(parent)];
  }

  /// Calls f with the room of every arc from a node up to its root, and with the node below it.
  template <class F>
  std::int32_t climb(std::int32_t node, F&& f) {
    while (parent_[at(node)] >= 0) {
      const std::size_t d = static_cast<std::uint8_t>(parent_[at(node)]);
      const std::int32_t up = above(node);
      f(room(tree_[at(node)], up, g_.opposite(d)), node, d);
      node = up;
    }
    return node;
  }

  void augment(const Bridge& bridge) {
    const std::int32_t low = bridge.node, high = g_.neighbour[g_.arc(low, bridge.d)];
    std::int64_t most = g_.residual[g_.arc(low, bridge.d)];
    auto narrow = [&](std::int32_t room, std::int32_t, std::size_t) {
      most = std::min<std::int64_t>(most, room);
    };
    most = std::min(most, g_.terminal[at(climb(low, narrow))]);
    most = std::min(most, -g_.terminal[at(climb(high, narrow))]);
    const auto amount = static_cast<std::int32_t>(most);
    g_.residual[g_.arc(low, bridge.d)] -= amount;
    g_.residual[g_.arc(high, g_.opposite(bridge.d))] += amount;
    send(low, amount);
    send(high, -amount);
  }

  /// Takes an amount from the root above a node (below zero: brings it there), cutting arcs that are full.
  void send(std::int32_t node, std::int32_t amount) {
    const std::int32_t size = std::abs(amount);
    const Shore tree = tree_[at(node)];
    const std::int32_t root = climb(node, [&](std::int32_t& room_left, std::int32_t below, std::size_t d) {
      room_left -= size;
      const std::int32_t up = g_.neighbour[g_.arc(below, d)];
      (tree == Shore::source ? g_.residual[g_.arc(below, d)] : g_.residual[g_.arc(up, g_.opposite(d))]) +=
          size;
      if (room_left == 0) orphan(below);
    });
    g_.terminal[at(root)] -= amount;
    if (g_.terminal[at(root)] == 0) orphan(root);
  }

  void orphan(std::int32_t node) { orphans_.push_back(node); }

  void adopt() {
    for (const std::int32_t node : orphans_) parent_[at(node)] = kOrphan;
    while (!orphans_.empty()) {
      const std::int32_t node = orphans_.front();
      orphans_.pop_front();
      if (!find_parent(node)) set_free(node);
    }
  }

  /// How many steps lead up to the root, 0 when the way ends at an orphan. Marks the way as known for this
  /// round.
  std::int32_t steps_to_root(std::int32_t node) {
    std::int32_t steps = 0, up = node;
    while (checked_[at(up)] != round_ && parent_[at(up)] >= 0) {
      up = above(up);
      ++steps;
    }
    if (parent_[at(up)] == kOrphan) return 0;
    steps += checked_[at(up)] == round_ ? depth_[at(up)] : 1;
    for (std::int32_t n = node, left = steps; checked_[at(n)] != round_; --left) {
      checked_[at(n)] = round_;
      depth_[at(n)] = left;
      if (parent_[at(n)] < 0) break;
      n = above(n);
    }
    return steps;
  }

  bool find_parent(std::int32_t node) {
    std::int32_t best = std::numeric_limits<std::int32_t>::max();
    // Written down only at the end: meanwhile the ways of its own descendants must end here.
    std::int8_t found = kOrphan;
    for (std::size_t d = 0; d < g_.directions; ++d) {
      const std::int32_t other = g_.neighbour[g_.arc(node, d)];
      if (other == FlowGraph::kNone || tree_[at(other)] != tree_[at(node)]) continue;
      if (room(tree_[at(node)], other, g_.opposite(d)) == 0) continue;
      const std::int32_t steps = steps_to_root(other);
      if (steps == 0 || steps >= best) continue;
      best = steps;
      found = static_cast<std::int8_t>(d);
    }
    if (found == kOrphan) return false;
    parent_[at(node)] = found;
    checked_[at(node)] = round_;
    depth_[at(node)] = best + 1;
    return true;
  }

  /// Leaves a node to whoever reaches it next: those who could are woken, its children look for a parent.
  void set_free(std::int32_t node) {
    for (std::size_t d = 0; d < g_.directions; ++d) {
      const std::int32_t other = g_.neighbour[g_.arc(node, d)];
      if (other == FlowGraph::kNone || tree_[at(other)] != tree_[at(node)]) continue;
      if (room(tree_[at(node)], other, g_.opposite(d)) > 0) wake(other);
      if (parent_[at(other)] == static_cast<std::int8_t>(g_.opposite(d))) {
        parent_[at(other)] = kOrphan;
        orphan(other);
      }
    }
    tree_[at(node)] = Shore::either;
  }

  FlowGraph& g_;
  std::vector<Shore> tree_;
  std::vector<std::int8_t> parent_;    ///< direction of the parent
  std::vector<std::uint8_t> waits_;    ///< is in active_
  std::vector<std::int32_t> checked_;  ///< round in which the way to the root was last seen
  std::vector<std::int32_t> depth_;
  std::deque<std::int32_t> active_, orphans_;
  std::int32_t round_ = 0;
};

}  // namespace

std::vector<Shore> maximise_flow(FlowGraph& graph) { return SearchTrees(graph).run(); }

}  // namespace crema
