// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/maxflow.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "test/random_case.h"

namespace crema {
namespace {

/// Up to twelve nodes on a ring with chords: direction 2 leads one on, 3 leads two on; 1 and 0 lead back.
FlowGraph random_graph(std::uint64_t seed) {
  random_case::Dice dice{seed};
  const int nodes = dice.roll(5, 12), most = dice.roll(1, 9);
  FlowGraph graph(static_cast<std::size_t>(nodes), 4);
  for (int i = 0; i < nodes; ++i) {
    graph.terminal[static_cast<std::size_t>(i)] = dice.roll(-most, most);
    for (const std::size_t d : {2U, 3U})
      if (dice.roll(0, 4) > 0) graph.join(i, d, (i + static_cast<int>(d) - 1) % nodes, dice.roll(0, most));
  }
  return graph;
}

/// What a cut costs that leaves the nodes of `inside` with the source.
std::int64_t cost(const FlowGraph& graph, std::uint32_t inside) {
  std::int64_t sum = 0;
  for (std::int32_t i = 0; i < std::ssize(graph.terminal); ++i) {
    const bool with_source = (inside >> i & 1U) != 0;
    const std::int64_t terminal = graph.terminal[static_cast<std::size_t>(i)];
    if (!with_source && terminal > 0) sum += terminal;
    if (with_source && terminal < 0) sum -= terminal;
    for (std::size_t d = 0; d < graph.directions; ++d) {
      const std::int32_t other = graph.neighbour[graph.arc(i, d)];
      if (with_source && other != FlowGraph::kNone && (inside >> other & 1U) == 0)
        sum += graph.residual[graph.arc(i, d)];
    }
  }
  return sum;
}

RC_GTEST_PROP(MaxFlow, TellsTheShoreOfEveryNode, (std::uint64_t seed)) {
  FlowGraph graph = random_graph(seed);
  const std::size_t nodes = graph.terminal.size();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::uint32_t in_all = 0, in_any = 0;
  for (std::uint32_t inside = 0; inside < (1U << nodes); ++inside) {
    const std::int64_t c = cost(graph, inside);
    if (c < least) in_all = in_any = inside;
    if (c == least) {
      in_all &= inside;
      in_any |= inside;
    }
    least = std::min(least, c);
  }
  RC_CLASSIFY(in_all != in_any, "several cuts");
  const auto shores = maximise_flow(graph);
  for (std::size_t i = 0; i < nodes; ++i) {
    RC_ASSERT((shores[i] == Shore::source) == ((in_all >> i & 1U) != 0));
    RC_ASSERT((shores[i] == Shore::sink) == ((in_any >> i & 1U) == 0));
  }
}

TEST(MaxFlow, FillsALongChain) {
  constexpr std::int32_t kNodes = 100000;
  FlowGraph graph(kNodes, 2);
  for (std::int32_t i = 0; i + 1 < kNodes; ++i) graph.join(i, 1, i + 1, i == 40000 ? 3 : 5);
  graph.terminal.front() = 10;
  graph.terminal.back() = -10;
  const auto shores = maximise_flow(graph);
  EXPECT_EQ(graph.terminal.front(), 7);
  EXPECT_EQ(graph.terminal.back(), -7);
  EXPECT_EQ(shores[40000], Shore::source);
  EXPECT_EQ(shores[40001], Shore::sink);
}

}  // namespace
}  // namespace crema
