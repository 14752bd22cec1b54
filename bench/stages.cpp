// SPDX-License-Identifier: Apache-2.0
#include "bench/stages.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "crema/parallel.h"
#include "crema/voxels/distance.h"

namespace crema::bench {
namespace {

void for_each_component(const Components& components, const std::function<void(std::size_t)>& f) {
  parallel_for(std::ssize(components.list), [&](std::int64_t c) { f(static_cast<std::size_t>(c)); });
}

}  // namespace

double now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

StagedRun run_stages(const Grid& grid, std::span<const Mask> masks, const Options& options) {
  StagedRun run;
  const Method& method = find_method(options.method);
  Reduction& reduction = run.consensus.reduction;
  reduction.grid = grid;
  reduction.raters = static_cast<int>(masks.size());
  reduction.neighbourhood = make_neighbourhood(grid, options.connectivity, options.slice_wise);
  std::optional<Votes> votes;
  std::vector<std::vector<std::uint32_t>> distances;
  const auto timed = [&](std::size_t stage, const std::function<void()>& work) {
    const double start = now_ms();
    with_threads(options.threads, work);
    run.ms[stage] = now_ms() - start;
  };
  const Components& components = reduction.components;
  timed(0, [&] { votes = take_votes(grid.voxels(), masks); });
  timed(1, [&] { reduction.components = find_components(grid, *votes, reduction.neighbourhood); });
  distances.resize(components.list.size());
  reduction.crowns.resize(components.list.size());
  timed(2, [&] {
    for_each_component(components, [&](std::size_t c) {
      distances[c] = total_distances(grid, *votes, components, components.list[c], reduction.neighbourhood);
    });
  });
  timed(3, [&] {
    for_each_component(components, [&](std::size_t c) {
      reduction.crowns[c] = cut_crowns(*votes, components, components.list[c], std::move(distances[c]));
    });
  });
  timed(4, [&] { run.consensus.solution = solve(reduction, method, options); });
  timed(5, [&] { run.consensus.image = paint(reduction, run.consensus.solution, options); });
  return run;
}

}  // namespace crema::bench
