// SPDX-License-Identifier: Apache-2.0
#include "crema/fuse.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/stop.h"
#include "crema/voxels/distance.h"
#include "crema/voxels/paint.h"

namespace crema {
namespace {

void check(const Grid& grid) {
  for (const std::int32_t n : grid.size)
    if (n < 1)
      throw InputError(fmt::format("the grid is {}×{}×{}; every size must be at least 1", grid.size[0],
                                   grid.size[1], grid.size[2]));
  for (const double mm : grid.spacing)
    if (!(mm > 0) || std::isinf(mm))
      throw InputError(fmt::format("a voxel of the grid is {} mm long; every spacing must be above 0", mm));
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

/// Reports from time to time the share of the voxels that is done.
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

Image flat_image(const Grid& grid, Kind kind, double level) {
  const auto voxels = static_cast<std::size_t>(grid.voxels());
  if (kind == Kind::hard) return HardImage(voxels, level > 0.5 ? 1 : 0);
  return SoftImage(voxels, static_cast<float>(level));
}

bool has_same_background(const Image& a, const Image& b) {
  const auto size_and_pattern = [](const auto& canvas) { return std::pair(canvas.size(), canvas.pattern()); };
  return a.index() == b.index() && std::visit(size_and_pattern, a) == std::visit(size_and_pattern, b);
}

std::int64_t union_voxels(const Components& components) {
  std::int64_t sum = 0;
  for (const Component& component : components.list) sum += component.voxels;
  return sum;
}

/// What the crowns of a component take at least: few voxels have a row each, many have few rows.
std::int64_t crown_bytes(const Component& component, Blocks blocks) {
  constexpr std::int64_t kFewRows = 4;
  const std::int64_t rows = blocks == Blocks::voxel ? component.voxels : std::min(component.voxels, kFewRows);
  return std::int64_t{sizeof(Crowns)} + heap_block(rows * std::int64_t{sizeof(Subcrown)}) +
         heap_block(component.voxels * std::int64_t{sizeof(std::uint32_t)});
}

/// Distances of one component for each thread lie in memory at once, each on its box.
void require_crowns(const Reduction& reduction, const std::vector<std::size_t>& order, Needs needs,
                    const Options& options) {
  std::int64_t bytes = std::ssize(order) * std::int64_t{sizeof(std::size_t)};
  for (const Component& component : reduction.components.list)
    bytes += crown_bytes(component, options.blocks);
  const int threads = available_threads();
  const auto at_once = std::min(order.size(), static_cast<std::size_t>(threads));
  if (needs != Needs::groups)
    for (std::size_t i = 0; i < at_once; ++i)
      bytes += distance_bytes(reduction.components.list[order[i]], reduction.neighbourhood, reduction.raters,
                              threads);
  options.memory->require(
      fmt::format("counting the crowns of {}", counted(order.size(), "component")), bytes,
      threads > 1 ? "give " + Sentence::setting("low_memory") + ", crop the images" : "crop the images");
}

}  // namespace

Reduction reduce(const Grid& grid, Votes votes, Needs needs, const Options& options) {
  check(grid);
  if (votes.voxels() != grid.voxels())
    throw InputError(
        fmt::format("the votes cover {} voxels, but the grid has {}", votes.voxels(), grid.voxels()));
  Reduction result{.grid = grid, .raters = votes.raters()};
  if (options.region.kind == Region::Kind::mask) result.lost = votes.keep_inside(options.region.mask);
  result.neighbourhood = make_neighbourhood(grid, options.connectivity, options.slice_wise);
  result.occupied = votes.bytes() / votes.bytes_per_voxel();
  MemoryAccount* const memory = options.memory.get();
  if (memory != nullptr) memory->hold(votes.bytes());
  with_threads(options.threads, [&] {
    result.components = find_components(grid, votes, result.neighbourhood, memory);
    const auto order = by_size(result.components);
    if (memory != nullptr) {
      memory->hold(result.components.bytes());
      require_crowns(result, order, needs, options);
    }
    result.crowns.resize(result.components.list.size());
    Ticker ticker(options, union_voxels(result.components));
    parallel_for(static_cast<std::int64_t>(order.size()), [&](std::int64_t i) {
      const std::size_t c = order[static_cast<std::size_t>(i)];
      const Component& component = result.components.list[c];
      throw_if_stopped(options);
      auto distances = needs != Needs::groups
                           ? total_distances(grid, votes, result.components, component, result.neighbourhood)
                           : std::vector<std::uint32_t>(static_cast<std::size_t>(component.voxels), 0);
      result.crowns[c] = cut_crowns(votes, result.components, component, std::move(distances), memory);
      if (options.blocks == Blocks::voxel) result.crowns[c] = split_voxels(result.crowns[c]);
      if (memory != nullptr) memory->hold(result.crowns[c].bytes());
      ticker.add(component.voxels);
    });
  });
  if (needs == Needs::neighbours)
    result.votes = std::make_shared<Votes>(std::move(votes));
  else if (memory != nullptr)
    memory->hold(-votes.bytes());
  return result;
}

Image paint(const Reduction& reduction, Solution& solution, const Options& options, Image canvas) {
  if (solution.image) return std::move(*std::exchange(solution.image, nullptr));
  const double level = solution.background.level;
  const bool everywhere = options.region.kind == Region::Kind::full;
  Image image;
  with_threads(options.threads, [&] {
    image = flat_image(reduction.grid, solution.method->kind, everywhere ? level : 0);
    if (everywhere && has_same_background(canvas, image)) image = std::move(canvas);
    if (!everywhere) fill_region(reduction.grid, reduction.components, options.region, level, image);
    parallel_for(static_cast<std::int64_t>(reduction.crowns.size()), [&](std::int64_t i) {
      const auto c = static_cast<std::size_t>(i);
      paint_component(reduction.components, reduction.components.list[c], reduction.crowns[c],
                      solution.components[c].levels, image);
    });
  });
  return image;
}

Image cut(Image image, double threshold, Tie tie) {
  const auto* const soft = std::get_if<SoftImage>(&image);
  if (soft == nullptr) return image;
  HardImage mask(soft->size());
  std::transform(
      soft->begin(), soft->end(), mask.begin(), [t = static_cast<float>(threshold), tie](float level) {
        return static_cast<std::uint8_t>(level > t || (level == t && tie == Tie::foreground) ? 1 : 0);
      });
  return mask;
}

Consensus fuse(const Grid& grid, std::span<const Mask> masks, const Options& options) {
  check(grid);
  const Method& method = find_method(options.method);
  std::optional<Votes> votes;
  with_threads(options.threads, [&] { votes = take_votes(grid.voxels(), masks); });
  Reduction reduction = reduce(grid, std::move(*votes), method.needs, options);
  votes.reset();
  Solution solution = solve(reduction, method, options);
  Image image = paint(reduction, solution, options);
  return {std::move(image), std::move(reduction), std::move(solution)};
}

}  // namespace crema
