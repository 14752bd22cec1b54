// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crema {

/// A graph between a source and a sink whose inner arcs join each node to at most one other in each of a few
/// directions; direction d is undone by direction directions − 1 − d.
struct FlowGraph {
  static constexpr std::int32_t kNone = -1;

  FlowGraph(std::size_t nodes, int directions_per_node)
      : directions(static_cast<std::size_t>(directions_per_node)),
        terminal(nodes, 0),
        neighbour(nodes * directions, kNone),
        residual(nodes * directions, 0) {}

  /// With what the search for the largest flow keeps of a node.
  static constexpr std::int64_t bytes_per_node(int directions_per_node) {
    constexpr std::int64_t kSearch = 32;
    return kSearch + 8 + 8 * std::int64_t{directions_per_node};
  }

  [[nodiscard]] std::size_t arc(std::int32_t node, std::size_t d) const {
    return static_cast<std::size_t>(node) * directions + d;
  }
  [[nodiscard]] std::size_t opposite(std::size_t d) const { return directions - 1 - d; }

  /// Two nodes can exchange up to `capacity` either way.
  void join(std::int32_t node, std::size_t d, std::int32_t other, std::int32_t capacity) {
    neighbour[arc(node, d)] = other;
    neighbour[arc(other, opposite(d))] = node;
    residual[arc(node, d)] = residual[arc(other, opposite(d))] = capacity;
  }

  std::size_t directions;
  std::vector<std::int64_t> terminal;   ///< above 0: can come from the source; below: can go to the sink
  std::vector<std::int32_t> neighbour;  ///< per node and direction
  std::vector<std::int32_t> residual;   ///< likewise: what can still flow along the arc
};

/// On which side of a smallest cut a node lies: on the source's in all of them, on the sink's in all of them,
/// or on either.
enum class Shore : std::uint8_t { either, source, sink };

/// Sends as much as possible from the source to the sink and returns the side of each node.
/// The search trees of Boykov and Kolmogorov (IEEE PAMI 26(9), 2004); whole numbers, hence exact.
std::vector<Shore> maximise_flow(FlowGraph& graph);

}  // namespace crema
