// SPDX-License-Identifier: Apache-2.0
#include "bench/programs/stages.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "crema/base/parallel.h"
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

double time_ms(const std::function<void()>& work) {
  const double start = now_ms();
  work();
  return now_ms() - start;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Consensus run_stages(const Grid& grid, std::span<const Mask> masks, const Options& options,
                     const StageRunner& runner) {
  Consensus consensus;
  const Method& method = find_method(options.method);
  Reduction& reduction = consensus.reduction;
  reduction.grid = grid;
  reduction.raters = static_cast<int>(masks.size());
  reduction.neighbourhood = make_neighbourhood(grid, options.connectivity, options.slice_wise);
  std::optional<Votes> votes;
  std::vector<std::vector<std::uint32_t>> distances;
  const auto stage = [&](std::size_t number, const std::function<void()>& work) {
    with_threads(options.threads, [&] { runner(number, work); });
  };
  const Components& components = reduction.components;
  stage(0, [&] { votes = take_votes(grid.voxels(), masks); });
  stage(1, [&] { reduction.components = find_components(grid, *votes, reduction.neighbourhood); });
  distances.resize(components.list.size());
  reduction.crowns.resize(components.list.size());
  stage(2, [&] {
    for_each_component(components, [&](std::size_t c) {
      distances[c] = total_distances(grid, *votes, components, components.list[c], reduction.neighbourhood);
    });
  });
  stage(3, [&] {
    for_each_component(components, [&](std::size_t c) {
      reduction.crowns[c] = cut_crowns(*votes, components, components.list[c], std::move(distances[c]));
    });
  });
  stage(4, [&] { consensus.solution = solve(reduction, method, options); });
  stage(5, [&] { consensus.image = paint(reduction, consensus.solution, options); });
  return consensus;
}

StagedRun time_stages(const Grid& grid, std::span<const Mask> masks, const Options& options) {
  StagedRun run;
  run.consensus = run_stages(grid, masks, options, [&](std::size_t stage, const std::function<void()>& work) {
    run.ms[stage] = time_ms(work);
  });
  return run;
}

}  // namespace crema::bench
