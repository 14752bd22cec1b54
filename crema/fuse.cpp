// SPDX-License-Identifier: Apache-2.0
#include "crema/fuse.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/voxels/distance.h"
#include "crema/voxels/paint.h"

namespace crema {
namespace {

void check(const Grid& grid) {
  for (const std::int32_t n : grid.size)
    if (n < 1)
      throw InputError(fmt::format("the grid is {}×{}×{}; every size must be at least 1", grid.size[0],
                                   grid.size[1], grid.size[2]));
}

/// Components from the largest to the smallest, so that the last one to finish is a small one.
std::vector<std::size_t> by_size(const Components& components) {
  std::vector<std::size_t> order(components.list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return components.list[a].voxels > components.list[b].voxels;
  });
  return order;
}

/// Tells the caller from time to time which share of the voxels is done.
class Ticker {
 public:
  Ticker(const Options& options, std::int64_t total) : report_(options.progress), total_(total) {}
  void add(std::int64_t voxels) {
    if (!report_) return;
    const std::scoped_lock lock(mutex_);
    done_ += voxels;
    report_(total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 1);
  }

 private:
  const std::function<void(double)>& report_;
  std::mutex mutex_;
  std::int64_t done_ = 0, total_;
};

std::int64_t union_voxels(const Components& components) {
  std::int64_t sum = 0;
  for (const Component& component : components.list) sum += component.voxels;
  return sum;
}

double entropy(double x) { return x <= 0 || x >= 1 ? 0 : -(x * std::log(x) + (1 - x) * std::log1p(-x)); }

Decision decide(const Tally& tally, const Method& method, const SolveOptions& options, Certify certified) {
  Answer answer = method.solver(tally, options);
  Decision decision{.levels = std::move(answer.levels), .certificate = answer.certificate};
  decision.criterion = criterion(tally, decision.levels, method.distance, options.weights);
  for (std::size_t r = 0; r < tally.rows.size(); ++r) {
    decision.voxels += voxels_inside(tally.rows[r], decision.levels[r], method.kind);
    decision.soft_voxels += decision.levels[r] * static_cast<double>(tally.rows[r].voxels);
  }
  if (method.kind == Kind::hard) decision.soft_voxels = static_cast<double>(decision.voxels);
  if (certified == Certify::yes && !decision.certificate)
    decision.certificate = certify(tally, method.distance, decision.levels, options);
  return decision;
}

void check_weights(const std::vector<double>& weights, int raters) {
  if (weights.empty()) return;
  if (weights.size() != static_cast<std::size_t>(raters))
    throw UsageError(
        fmt::format("{} weights were given for {} raters; give one for each", weights.size(), raters));
  double sum = 0;
  for (const double weight : weights) {
    if (!std::isfinite(weight) || weight < 0)
      throw UsageError(fmt::format("{} is no weight; weights are finite and at least 0", weight));
    sum += weight;
  }
  if (!(sum > 0) || !std::isfinite(sum)) throw UsageError("all weights are 0; at least one rater must count");
}

/// Sums run in the order of the components, so that threads do not show in the last digit.
void sum_up(const Reduction& reduction, Solution& solution) {
  for (std::size_t c = 0; c < solution.components.size(); ++c) {
    const Decision& decision = solution.components[c];
    solution.lmsd += decision.criterion;
    solution.voxels += decision.voxels;
    solution.soft_volume += decision.soft_voxels;
    if (decision.certificate) {
      solution.lower_bound = solution.lower_bound.value_or(0) + decision.certificate->lower_bound;
      if (!decision.certificate->proven) ++solution.unproven;
    }
    if (solution.method->kind == Kind::hard) continue;  // nothing is uncertain about it
    const auto& rows = reduction.crowns[c].tally.rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
      solution.entropy += static_cast<double>(rows[r].voxels) * entropy(decision.levels[r]);
  }
}

}  // namespace

std::int64_t voxels_inside(const Subcrown& row, double level, Kind kind) {
  if (kind == Kind::hard) return std::llround(level * static_cast<double>(row.voxels));
  return static_cast<float>(level) > 0.5F ? row.voxels : 0;
}

Reduction reduce(const Grid& grid, const Votes& votes, Needs needs, const Options& options) {
  check(grid);
  if (votes.voxels() != grid.voxels())
    throw InputError(
        fmt::format("the votes cover {} voxels, but the grid has {}", votes.voxels(), grid.voxels()));
  Reduction result{.grid = grid, .raters = votes.raters()};
  result.neighbourhood = make_neighbourhood(grid, options.connectivity, options.slice_wise);
  with_threads(options.threads, [&] {
    result.components = find_components(grid, votes, result.neighbourhood);
    result.crowns.resize(result.components.list.size());
    const auto order = by_size(result.components);
    Ticker ticker(options, union_voxels(result.components));
    parallel_for(static_cast<std::int64_t>(order.size()), [&](std::int64_t i) {
      const std::size_t c = order[static_cast<std::size_t>(i)];
      const Component& component = result.components.list[c];
      auto distances = needs == Needs::distances
                           ? total_distances(grid, votes, result.components, component, result.neighbourhood)
                           : std::vector<std::uint32_t>(static_cast<std::size_t>(component.voxels), 0);
      result.crowns[c] = cut_crowns(votes, result.components, component, std::move(distances));
      if (options.blocks == Blocks::voxel) result.crowns[c] = split_voxels(result.crowns[c]);
      ticker.add(component.voxels);
    });
  });
  return result;
}

Solution solve(const Reduction& reduction, const Method& method, const Options& options) {
  check_weights(options.weights, reduction.raters);
  if (options.certify == Certify::yes && method.aim != Aim::distance)
    throw UsageError(fmt::format(
        "{} minimises no distance to the raters, so there is nothing to certify; use \"crema certify\" "
        "to judge its result in a distance of your choice",
        method.name));
  const SolveOptions solve_options{options.tie, options.blocks, options.weights, options.empty_test,
                                   options.budget};
  Solution solution{.method = &method};
  if (options.certify == Certify::yes) solution.lower_bound = 0;
  solution.components.resize(reduction.crowns.size());
  with_threads(options.threads, [&] {
    parallel_for(static_cast<std::int64_t>(reduction.crowns.size()), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      solution.components[c] = decide(reduction.crowns[c].tally, method, solve_options, options.certify);
    });
  });
  sum_up(reduction, solution);
  return solution;
}

Image paint(const Reduction& reduction, const Solution& solution, const Options& options) {
  const auto voxels = static_cast<std::size_t>(reduction.grid.voxels());
  Image image =
      solution.method->kind == Kind::hard ? Image(HardImage(voxels, 0)) : Image(SoftImage(voxels, 0.0F));
  with_threads(options.threads, [&] {
    parallel_for(static_cast<std::int64_t>(reduction.crowns.size()), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      paint_component(reduction.components, reduction.components.list[c], reduction.crowns[c],
                      solution.components[c].levels, image);
    });
  });
  return image;
}

Consensus fuse(const Grid& grid, std::span<const Mask> masks, const Options& options) {
  check(grid);
  const Method& method = find_method(options.method);
  std::optional<Votes> votes;
  with_threads(options.threads, [&] { votes = take_votes(grid.voxels(), masks); });
  Reduction reduction = reduce(grid, *votes, method.needs, options);
  votes.reset();
  Solution solution = solve(reduction, method, options);
  Image image = paint(reduction, solution, options);
  return {std::move(image), std::move(reduction), std::move(solution)};
}

}  // namespace crema
