// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/confidence/bootstrap.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "crema/agreement/confidence/resample.h"
#include "crema/agreement/percentile.h"
#include "crema/base/error.h"
#include "crema/base/parallel.h"
#include "crema/phantom/hash.h"
#include "crema/stop.h"

namespace crema {
namespace {

constexpr int kFewRaters = 8;
constexpr std::uint64_t kPurpose = 0x626F6F7473747261;  // keeps these draws apart from the phantoms'

Spread spread_of(const std::vector<double>& values) {
  return {percentile(values, 0.05), percentile(values, 0.5), percentile(values, 0.95)};
}

}  // namespace

Collector::Collector(const Reduction& reduction, Keeps keeps) : reduction_(reduction) {
  if (keeps == Keeps::image) image_ = SoftImage(static_cast<std::size_t>(reduction.grid.voxels()));
  for (const Crowns& crowns : reduction.crowns) result_.mean_levels.emplace_back(crowns.tally.rows.size(), 0);
  result_.kept.assign(reduction.crowns.size(), 0);
}

void Collector::add(const Solution& solution) {
  ++result_.replicates;
  for (std::size_t c = 0; c < solution.components.size(); ++c) {
    const Decision& decision = solution.components[c];
    for (std::size_t r = 0; r < decision.levels.size(); ++r) result_.mean_levels[c][r] += decision.levels[r];
    if (decision.voxels > 0) ++result_.kept[c];
  }
  result_.background.voxels = std::max(result_.background.voxels, solution.background.voxels);
  result_.background.level += solution.background.level;
  voxels_.push_back(static_cast<double>(solution.voxels));
  soft_volume_.push_back(solution.soft_volume);
  lmsd_.push_back(solution.lmsd);
  if (!image_) return;
  const auto add_map = [&](const auto& map) {
    for_each_nonzero(map, [&](std::size_t v, auto level) { (*image_)[v] += static_cast<float>(level); });
  };
  std::visit(add_map, *solution.image);
}

/// Rows of a label that others share are not in or out as a whole: theirs is the mean over their voxels.
void Collector::finish_image() {
  for_each_nonzero(*image_, [&](std::size_t v, float level) {
    (*image_)[v] = level / static_cast<float>(result_.replicates);
  });
  for (std::size_t c = 0; c < reduction_.crowns.size(); ++c) {
    const Crowns& crowns = reduction_.crowns[c];
    Levels& levels = result_.mean_levels[c];
    levels.assign(crowns.tally.rows.size(), 0);
    const std::uint32_t* row = crowns.row_of_voxel.data();
    for (const Run& run : reduction_.components.runs_of(reduction_.components.list[c]))
      for (std::int64_t v = run.first; v < run.first + run.length; ++v)
        levels[*row++] += static_cast<double>(std::as_const(*image_)[static_cast<std::size_t>(v)]);
    for (std::size_t r = 0; r < levels.size(); ++r)
      levels[r] /= static_cast<double>(crowns.tally.rows[r].voxels);
  }
  result_.image = std::make_shared<const Image>(std::move(*image_));
}

Bootstrap Collector::finish(std::uint64_t seed) {
  const auto n = static_cast<double>(result_.replicates);
  for (Levels& levels : result_.mean_levels)
    for (double& level : levels) level /= n;
  for (double& share : result_.kept) share /= n;
  result_.background.level /= n;
  result_.voxels = spread_of(voxels_);
  result_.soft_volume = spread_of(soft_volume_);
  result_.lmsd = spread_of(lmsd_);
  if (image_) finish_image();
  result_.seed = seed;
  result_.rough = reduction_.raters < kFewRaters;
  return std::move(result_);
}

std::vector<double> draw_weighted(const Options& options, const Method& method, int raters,
                                  std::uint64_t seed, int replicate) {
  if (!accepts(method, Accept::weights) || options.weights.empty())
    return draw_raters(raters, seed, replicate);
  const auto counts = [](double weight) { return weight > 0; };
  const auto& weights = options.weights;
  const auto some = static_cast<int>(std::count_if(weights.begin(), weights.end(), counts));
  if (some == 0) throw UsageError("all weights are 0; at least one rater must count");
  const auto drawn = draw_raters(some, seed, replicate);
  std::vector<double> times(weights.size(), 0);
  std::size_t next = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (counts(weights[k])) times[k] = drawn[next++];
  return times;
}

std::vector<double> draw_raters(int raters, std::uint64_t seed, int replicate) {
  using phantom::mix;
  const std::uint64_t key = mix(mix(mix(seed) ^ kPurpose) ^ static_cast<std::uint64_t>(replicate));
  std::vector<double> times(static_cast<std::size_t>(raters), 0);
  for (int draw = 0; draw < raters; ++draw) {
    const double u = phantom::unit(mix(key ^ static_cast<std::uint64_t>(draw)));
    ++times[static_cast<std::size_t>(u * raters)];
  }
  return times;
}

void require_replicates(int replicates) {
  if (replicates < 1)
    throw UsageError(fmt::format("{} replicates were requested; give at least 1", replicates));
}

Bootstrap bootstrap(const Reduction& reduction, const Method& method, const Options& options, int replicates,
                    std::uint64_t seed) {
  require_replicates(replicates);
  const int held = reduction.levels ? 1 : 32;  // so many at a time; those of levels have images
  Options quiet = options;
  quiet.certify = Certify::no;
  Collector collector(reduction, reduction.levels ? Keeps::image : Keeps::rows);
  with_threads(options.threads, [&] {
    for (int first = 0; first < replicates; first += held) {
      std::vector<Solution> batch(static_cast<std::size_t>(std::min(held, replicates - first)));
      parallel_for(std::ssize(batch), [&](std::int64_t i) {
        batch[static_cast<std::size_t>(i)] = solve_resampled(
            reduction, method, quiet,
            draw_weighted(quiet, method, reduction.raters, seed, first + static_cast<int>(i)));
      });
      for (const Solution& solution : batch) collector.add(solution);
    }
  });
  return collector.finish(seed);
}

Image paint(const Reduction& reduction, const Bootstrap& bootstrap, const Options& options) {
  if (bootstrap.image) return *bootstrap.image;
  Solution levels{.method = &find_method("average")};  // any soft one: levels are painted as they are
  for (const Levels& mean : bootstrap.mean_levels) levels.components.push_back({.levels = mean});
  levels.background = bootstrap.background;
  return paint(reduction, levels, options);
}

}  // namespace crema
