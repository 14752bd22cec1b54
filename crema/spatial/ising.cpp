// SPDX-License-Identifier: Apache-2.0
#include "crema/spatial/ising.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/spatial/adjacency.h"
#include "crema/spatial/group_values.h"
#include "crema/spatial/maxflow.h"

namespace crema {
namespace {

/// Capacities are whole numbers of a power of two in which β takes this many bits: sums are exact, and so are
/// ties of odds and β that have few bits themselves.
constexpr int kBits = 28;

/// What is known of a voxel while the image is being made; 0 and 1 are its final values.
constexpr std::uint8_t kOut = 0, kIn = 1, kOpen = 2, kElsewhere = 3;

/// The votes as numbers a cut can work with.
struct Model {
  const Votes* votes = nullptr;
  Adjacency adjacency;
  GroupValues<std::int64_t> odds;  ///< λ in units, as far as it can matter
  std::int64_t beta = 0;           ///< in units
  Tie tie = Tie::background;
};

/// A number in units; what is beyond ±enough becomes that.
std::int64_t scaled(double number, double unit, std::int64_t enough) {
  if (std::isnan(number)) throw InputError("the log odds of a rater group are not a number");
  const double most = static_cast<double>(enough);
  return std::llround(std::clamp(number / unit, -most, most));
}

Model make_model(const Grid& grid, const Votes& votes, const std::function<double(Raters)>& log_odds,
                 const Neighbourhood& neighbourhood, double beta, Tie tie) {
  const Adjacency adjacency(grid, neighbourhood);
  const double unit = std::ldexp(1, std::ilogb(beta) - kBits + 1);
  const std::int64_t units = std::llround(beta / unit);
  // Whoever has more than all neighbours together can give has enough.
  const std::int64_t enough = (adjacency.count() + 1) * units;
  const GroupValues<std::int64_t> odds(groups_in(votes),
                                       [&](Raters g) { return scaled(log_odds(g), unit, enough); });
  return {.votes = &votes, .adjacency = adjacency, .odds = odds, .beta = units, .tie = tie};
}

/// The voxels that may have to be looked at: those whose odds do not speak against them, and all that lie
/// within `margin` steps. The image is kOpen there and kElsewhere beyond.
struct Area {
  std::vector<std::int64_t> voxels;
  HardImage state;
};

template <class Set>
void seed(const Model& model, const Set* sets, Area& area) {
  const bool background = model.odds(0) >= 0;
  const auto blocks = model.votes->occupied();
  for (std::int64_t b = 0; b < std::ssize(blocks); ++b) {
    if (blocks[static_cast<std::size_t>(b)] == 0 && !background) continue;
    const std::int64_t end = std::min(model.votes->voxels(), (b + 1) * Votes::kBlock);
    Raters last = 0;
    bool speaks_for = background;
    for (std::int64_t v = b * Votes::kBlock; v < end; ++v) {
      if (sets[v] != last) {
        last = sets[v];
        speaks_for = model.odds(last) >= 0;
      }
      if (speaks_for) area.voxels.push_back(v);
    }
  }
}

Area make_area(const Model& model, int margin) {
  Area area;
  area.state = HardImage(static_cast<std::size_t>(model.votes->voxels()), kElsewhere);
  model.votes->visit([&](const auto* sets) { seed(model, sets, area); });
  for (const std::int64_t v : area.voxels) area.state[static_cast<std::size_t>(v)] = kOpen;
  const auto seeds = std::ssize(area.voxels);
  std::size_t begin = 0;
  for (int step = 0; step < margin; ++step) {
    const std::size_t end = area.voxels.size();
    for (; begin < end; ++begin)
      model.adjacency.visit(area.voxels[begin], [&](std::size_t, std::int64_t other) {
        std::uint8_t& state = area.state[static_cast<std::size_t>(other)];
        if (state != kElsewhere) return;
        state = kOpen;
        area.voxels.push_back(other);
      });
  }
  const auto first_new = area.voxels.begin() + seeds;
  std::sort(first_new, area.voxels.end());
  std::inplace_merge(area.voxels.begin(), first_new, area.voxels.end());
  return area;
}

/// What a voxel has for being inside, less what it has against: from itself and the neighbours that are
/// decided.
struct Balance {
  std::int64_t sum;
  std::int64_t open = 0;  ///< what the open neighbours could add or take away
};

Balance balance(const Model& model, const Area& area, std::int64_t voxel) {
  Balance b{.sum = model.votes->visit([&](const auto* sets) { return model.odds(sets[voxel]); })};
  model.adjacency.visit(voxel, [&](std::size_t, std::int64_t other) {
    const std::uint8_t state = area.state[static_cast<std::size_t>(other)];
    if (state == kIn) b.sum += model.beta;
    if (state == kOut) b.sum -= model.beta;
    if (state == kOpen) b.open += model.beta;
  });
  return b;
}

/// Decides what no choice of the open neighbours can turn. An exact tie goes where the tie policy wants it,
/// which the smallest or largest best labelling allows.
std::uint8_t decide(const Balance& b, Tie tie) {
  const std::int64_t worst = b.sum - b.open, best = b.sum + b.open;
  if (worst > 0 || (worst == 0 && tie == Tie::foreground)) return kIn;
  if (best < 0 || (best == 0 && tie == Tie::background)) return kOut;
  return kOpen;
}

/// Decides voxels in sweeps to and fro, as long as that decides many; returns those left open, sorted.
std::vector<std::int64_t> settle(const Model& model, Area& area) {
  std::vector<std::int64_t> open = area.voxels;
  for (std::size_t before = 0, sweep = 0; !open.empty() && (sweep < 2 || before - open.size() > before / 50);
       ++sweep) {
    before = open.size();
    std::erase_if(open, [&](std::int64_t voxel) {
      std::uint8_t& state = area.state[static_cast<std::size_t>(voxel)];
      state = decide(balance(model, area, voxel), model.tie);
      return state != kOpen;
    });
    std::reverse(open.begin(), open.end());
  }
  if (!open.empty() && open.front() > open.back()) std::reverse(open.begin(), open.end());
  return open;
}

/// One node per open voxel, both sorted alike, joined to its open neighbours.
FlowGraph make_graph(const Model& model, const Area& area, const std::vector<std::int64_t>& open) {
  FlowGraph graph(open.size(), model.adjacency.count());
  // Neighbours in one direction follow each other as the voxels do: none is searched for from the start.
  std::vector<std::size_t> ahead(graph.directions, 0);
  for (std::size_t i = 0; i < open.size(); ++i) {
    graph.terminal[i] = balance(model, area, open[i]).sum;
    model.adjacency.visit(open[i], [&](std::size_t d, std::int64_t other) {
      if (other < open[i] || area.state[static_cast<std::size_t>(other)] != kOpen) return;
      while (open[ahead[d]] < other) ++ahead[d];
      graph.join(static_cast<std::int32_t>(i), d, static_cast<std::int32_t>(ahead[d]),
                 static_cast<std::int32_t>(model.beta));
    });
  }
  return graph;
}

/// Decides what is open by a smallest cut.
void cut(const Model& model, const std::vector<std::int64_t>& open, Area& area) {
  if (open.size() >= std::size_t{1} << 31U)
    throw ResourceError("more than 2³¹ voxels are open to their neighbours; lower beta");
  FlowGraph graph = make_graph(model, area, open);
  const auto shores = maximise_flow(graph);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const bool inside =
        shores[i] == Shore::source || (shores[i] == Shore::either && model.tie == Tie::foreground);
    area.state[static_cast<std::size_t>(open[i])] = inside ? kIn : kOut;
  }
}

/// True when the labelling, the best in its area, has a voxel next to what lies beyond the area.
///
/// Else it is the best of all: beyond the area all odds speak against being inside, so the largest flow of
/// the area is also one of the grid, and what the source still reaches does not leave the area.
bool touches_the_edge(const Model& model, const Area& area) {
  return std::any_of(area.voxels.begin(), area.voxels.end(), [&](std::int64_t voxel) {
    bool touches = false;
    if (area.state[static_cast<std::size_t>(voxel)] == kIn)
      model.adjacency.visit(voxel, [&](std::size_t, std::int64_t other) {
        touches = touches || area.state[static_cast<std::size_t>(other)] == kElsewhere;
      });
    return touches;
  });
}

/// An image of states and, while the area is found, as many offsets again as an eighth of the grid.
constexpr std::int64_t kPerVoxel = 2, kPerOpen = sizeof(std::int64_t);

void require(const MemoryAccount* memory, std::int64_t bytes) {
  if (memory != nullptr) memory->require("joining neighbouring voxels", bytes, "crop the images");
}

HardImage threshold(const Votes& votes, const std::function<double(Raters)>& log_odds, Tie tie) {
  const GroupValues<std::uint8_t> inside(groups_in(votes), [&](Raters g) {
    const double odds = log_odds(g);
    if (std::isnan(odds)) throw InputError("the log odds of a rater group are not a number");
    return static_cast<std::uint8_t>(odds > 0 || (odds == 0 && tie == Tie::foreground) ? 1 : 0);
  });
  HardImage image(static_cast<std::size_t>(votes.voxels()));
  votes.visit([&](const auto* sets) {
    std::transform(sets, sets + votes.voxels(), image.begin(), [&](auto set) { return inside(set); });
  });
  return image;
}

}  // namespace

HardImage ising_map(const Grid& grid, const Votes& votes, const std::function<double(Raters)>& log_odds,
                    const Neighbourhood& neighbourhood, double beta, Tie tie, const MemoryAccount* memory) {
  if (grid.voxels() != votes.voxels())
    throw InputError(fmt::format("the grid has {} voxels, but the votes {}", grid.voxels(), votes.voxels()));
  if (!(beta >= 0) || std::isinf(beta))
    throw UsageError(fmt::format("beta is {}; it must be a number from 0 up", beta));
  if (beta == 0) return threshold(votes, log_odds, tie);
  const Model model = make_model(grid, votes, log_odds, neighbourhood, beta, tie);
  for (int margin = 2;; margin *= 4) {
    require(memory, grid.voxels() * kPerVoxel);
    Area area = make_area(model, margin);
    require(memory, grid.voxels() + std::ssize(area.voxels) * 2 * kPerOpen);
    const std::vector<std::int64_t> open = settle(model, area);
    require(memory, grid.voxels() + (std::ssize(area.voxels) + std::ssize(open)) * kPerOpen +
                        std::ssize(open) * FlowGraph::bytes_per_node(model.adjacency.count()));
    cut(model, open, area);
    if (touches_the_edge(model, area)) continue;
    std::replace(area.state.begin(), area.state.end(), kElsewhere, kOut);
    return std::move(area.state);
  }
}

}  // namespace crema
