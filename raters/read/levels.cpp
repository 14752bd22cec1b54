// SPDX-License-Identifier: Apache-2.0
#include "raters/read/levels.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/base/text.h"
#include "crema/levels/sparse.h"
#include "crema/stop.h"
#include "files/values/map.h"
#include "raters/read/channels.h"
#include "raters/read/each_rater.h"

namespace crema::raters {
namespace {

constexpr std::int64_t kLevelsBetweenStops = std::int64_t{1} << 20;

/// Channels of a softmax may miss the sum 1 by rounding alone.
constexpr float kSumTolerance = 1e-3F;

bool wants_classes(const Settings& settings) { return settings.labels || settings.regions; }

LoadedLevels make_levels(ClassPlan plan, std::size_t raters, double floor) {
  const std::size_t structures = plan.structures.size();
  return {
      std::move(plan), ClassLevels(structures, std::vector<SparseLevels>(raters, SparseLevels(floor))), {}};
}

Warnings warn_of_sum(float sum, const std::string& name, const ClassPlan& plan) {
  if (std::abs(sum - 1) <= kSumTolerance) return {};
  const std::string advice =
      plan.described
          ? std::string("if they are sigmoids of regions, its dataset.json must list regions_class_order")
          : fmt::format("if they are sigmoids of regions, give {}; if they are logits, {}",
                        Sentence::setting("regions"), Sentence::setting("logits", "softmax"));
  return {{fmt::format("{}: its channels do not sum to 1 everywhere; the worst sum is {:.4g}; {}.",
                       files::printable(name), sum, advice),
           WarningKind::values}};
}

/// Where a rater's levels go: to the sparse map of each structure, turned where its grid lies otherwise.
class Sink {
 public:
  Sink(LoadedLevels& loaded, std::size_t rater, const files::Placement& placement, const Grid& grid,
       const Grid& own)
      : loaded_(loaded), rater_(rater), placement_(placement), grid_(grid), own_(own) {}

  void take(std::size_t s, std::int64_t first, std::span<const float> part) {
    SparseLevels& map = loaded_.levels[s][rater_];
    if (placement_.identity) return map.add(first, part);
    held_.resize(static_cast<std::size_t>(own_.voxels()));
    std::copy(part.begin(), part.end(), held_.begin() + first);
    if (first + std::ssize(part) == own_.voxels())
      map.add(0, files::apply(placement_, grid_, own_, std::move(held_)));
  }

 private:
  LoadedLevels& loaded_;
  std::size_t rater_;
  const files::Placement& placement_;
  const Grid &grid_, &own_;
  std::vector<float> held_;
};

void check_class(const files::Header& header, const LoadOptions& options) {
  if (options.read.label && header.format != files::Format::npy && header.format != files::Format::npz)
    throw InputError(fmt::format("{}: holds one map, so there is no class to choose; leave out {}.",
                                 files::printable(header.path), Sentence::setting("label")));
}

/// The folder of a rater, where it is one.
const ClassFolder* folder_of(const RaterFiles& raters, std::size_t k) {
  return k < raters.folders.size() && raters.folders[k] ? &*raters.folders[k] : nullptr;
}

/// One file, or those of a folder, one after the other.
Warnings stream_channels(const files::Header& header, const ClassFolder* folder, const LoadOptions& options,
                         const files::LevelSink& add) {
  if (folder == nullptr) return files::stream_levels(header, options.read, add);
  Warnings warnings;
  files::ReadOptions one = options.read;
  one.channels = false;
  for (std::size_t m = 0; m < folder->maps.size(); ++m) {
    const std::int64_t before = folder->channel(m) * header.grid.voxels();
    append(warnings,
           files::stream_levels(folder->maps[m], one, [&](std::int64_t first, std::span<const float> part) {
             add(before + first, part);
           }));
  }
  return warnings;
}

/// What is held of one rater, before the next one is read.
void hold(LoadedLevels& loaded, std::size_t k, HeldMemory& held) {
  std::int64_t bytes = 0;
  for (auto& maps : loaded.levels) {
    maps[k].finish();
    bytes += maps[k].bytes();
  }
  held.take("the raters' levels", bytes, "crop the images, raise " + Sentence::setting("floor"));
}

Warnings thin_one(LoadedLevels& loaded, const RaterFiles& raters, std::size_t k, Logits logits,
                  const LoadOptions& options, HeldMemory& held) {
  const files::Header& header = raters.headers[k];
  throw_if_stopped(options.stop);
  if (header.absent) return {};
  check_class(header, options);
  Sink sink(loaded, k, raters.placements[k], raters.reference.grid, header.grid);
  Channels channels(
      loaded.plan, header.grid.voxels(), logits,
      [&](std::size_t s, std::int64_t first, std::span<const float> part) { sink.take(s, first, part); });
  std::int64_t next = kLevelsBetweenStops;
  const auto add = [&](std::int64_t first, std::span<const float> part) {
    if (first >= next) {
      throw_if_stopped(options.stop);
      next = first + kLevelsBetweenStops;
    }
    channels.add(first, part);
  };
  Warnings warnings = stream_channels(header, folder_of(raters, k), options, add);
  channels.finish();
  hold(loaded, k, held);
  append(warnings, warn_of_sum(channels.worst_sum(), raters.headers[k].path.string(), loaded.plan));
  return warnings;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + files::printable(name);
  return text;
}

/// Classes of folders are called by their files, which are the same for all raters.
ClassPlan plan_of_folders(const RaterFiles& raters, const ClassFolder& first, const Settings& settings,
                          Warnings& warnings) {
  for (std::size_t k = 0; k < raters.headers.size(); ++k) {
    const ClassFolder* const own = folder_of(raters, k);
    if (raters.headers[k].absent) continue;
    if (own == nullptr || own->names != first.names)
      throw InputError(
          fmt::format("{}: holds other classes than {} ({}); give a map of each class under the "
                      "same name.",
                      files::printable(raters.headers[k].path), files::printable(first.header.path),
                      listed(first.names)));
  }
  DatasetLabels classes{.path = first.header.path, .classes = classes_of(first), .values = {}};
  ClassPlan plan =
      plan_classes(first.header.path.string(), first.header.channels, settings, classes, warnings);
  plan.background = first.background;
  if (settings.logits == Logits::softmax && !first.background)
    throw InputError(fmt::format("{}: holds no map of the background, which a softmax needs; give {}.",
                                 files::printable(first.header.path),
                                 Sentence::setting("logits", "sigmoid")));
  return plan;
}

/// The maps of all raters have the same channels.
ClassPlan plan_of(const RaterFiles& raters, const Settings& settings, Warnings& warnings) {
  if (!wants_classes(settings)) return {};
  const files::Header& first = first_present(raters);
  const auto place = static_cast<std::size_t>(&first - raters.headers.data());
  if (const ClassFolder* const folder = folder_of(raters, place))
    return plan_of_folders(raters, *folder, settings, warnings);
  for (const files::Header& header : raters.headers)
    if (header.channels != first.channels)
      throw InputError(
          fmt::format("{}: holds {}, but {} holds {}; give maps of the same network, or leave it out.",
                      files::printable(header.path), counted(header.channels, "channel"),
                      files::printable(first.path), first.channels));
  return plan_classes(first.path.string(), first.channels, settings, read_dataset(first.path), warnings);
}

constexpr float kRounding = 1e-6F;

/// Throws InputError where a map in memory holds no levels, or no logits; says what is still odd.
Warnings check_range(std::span<const float> map, const std::string& name, const Settings& settings) {
  float least = map.empty() ? 0 : map.front(), most = least;
  std::int64_t strange = 0;
  for (const float level : map) {
    strange += std::isfinite(level) ? 0 : 1;
    least = std::min(least, level);
    most = std::max(most, level);
  }
  if (strange > 0)
    throw InputError(fmt::format("{}: {} NaN or infinite; replace {} by 0.", name,
                                 crema::counted(strange, "voxel is", "voxels are"),
                                 strange == 1 ? "it" : "them"));
  if (settings.logits != Logits::none)
    return files::warn_of_levels(static_cast<double>(least), static_cast<double>(most), name);
  if ((least < -kRounding || most > 1 + kRounding))
    throw InputError(
        fmt::format("{}: holds values from {:.6g} to {:.6g}, but probabilities lie between 0 "
                    "and 1; {}.",
                    name, least, most,
                    files::advice_on_range(static_cast<double>(least), static_cast<double>(most),
                                           wants_classes(settings) ? "softmax" : "sigmoid")));
  if (least >= 0 && most <= 1) return {};
  return {{fmt::format("{}: levels up to {} outside 0 to 1 were clamped.", name, files::kLevelTolerance),
           WarningKind::values}};
}

/// Voxels of a map in memory that are looked at together.
constexpr std::size_t kBlock = 1024;

std::span<const float> block_of(std::span<const float> map, std::size_t block) {
  const std::size_t at = block * kBlock;
  return map.subspan(at, std::min(kBlock, map.size() - at));
}

/// What each block of a map holds, found on all threads.
std::vector<Content> contents_of(std::span<const float> map, double floor) {
  constexpr std::int64_t kGrain = 1024;
  std::vector<Content> contents((map.size() + kBlock - 1) / kBlock);
  parallel_pieces(std::ssize(contents), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b)
      contents[b] = content_of(block_of(map, b), floor);
  });
  return contents;
}

/// A map in memory; each block while it is at hand, where all of them are wanted.
Warnings add_map(std::span<const float> map, const std::string& name, const Settings& settings,
                 Channels& channels) {
  if (settings.logits != Logits::none) {
    Warnings warnings = check_range(map, name, settings);
    channels.add(0, map);
    return warnings;
  }
  const double floor = settings.options.floor;
  std::vector<Content> contents;
  if (!channels.wants_all()) contents = contents_of(map, floor);
  std::optional<Warnings> warnings;
  std::vector<float> clamped;
  for (std::size_t at = 0; at < map.size(); at += kBlock) {
    auto part = block_of(map, at / kBlock);
    const Content content = contents.empty() ? content_of(part, floor) : contents[at / kBlock];
    if (content == Content::nothing && !channels.wants_all()) continue;
    if (content == Content::other) {
      if (!warnings) warnings = check_range(map, name, settings);
      clamped.assign(part.begin(), part.end());
      for (float& level : clamped) level = std::clamp(level, 0.0F, 1.0F);
      part = clamped;
    }
    channels.add(static_cast<std::int64_t>(at), part);
  }
  return warnings.value_or(Warnings());
}

}  // namespace

LoadedLevels read_levels(const RaterFiles& raters, const Settings& settings, int threads,
                         const Hooks& hooks) {
  const std::size_t count = raters.headers.size();
  Warnings planned;
  LoadedLevels loaded = make_levels(plan_of(raters, settings, planned), count, settings.options.floor);
  loaded.warnings = std::move(planned);
  LoadOptions options = load_options(
      raters, settings, threads,
      {.turned = sizeof(float), .always = Channels::held_bytes(loaded.plan.channels, settings.logits)},
      hooks);
  if (settings.logits != Logits::none) options.read.map = files::MapValues::logits;
  MemoryAccount memory(allowed_memory(settings));
  HeldMemory held(&memory);
  std::vector<Warnings> warnings(count);
  for_each_rater(count, {options.threads, options.progress}, [&](std::size_t k) {
    warnings[k] = thin_one(loaded, raters, k, settings.logits, options, held);
  });
  for (const Warnings& own : warnings) append(loaded.warnings, own);
  return loaded;
}

LoadedLevels take_levels(const Grid& grid, const LevelArrays& arrays, const Settings& settings,
                         const std::vector<std::string>& names) {
  const auto& maps = arrays.maps;
  for (std::size_t k = 0; k < maps.size(); ++k)
    if (std::ssize(maps[k]) != grid.voxels() * arrays.channels)
      throw InputError(fmt::format("{}: holds {} levels, but the grid has {} voxels and {}.", names[k],
                                   maps[k].size(), grid.voxels(), counted(arrays.channels, "channel")));
  Warnings planned;
  LoadedLevels loaded = make_levels(wants_classes(settings)
                                        ? plan_classes(names.front(), arrays.channels, settings, {}, planned)
                                        : ClassPlan(),
                                    maps.size(), settings.options.floor);
  loaded.warnings = std::move(planned);
  MemoryAccount memory(allowed_memory(settings));
  HeldMemory held(&memory);
  std::vector<Warnings> warnings(maps.size());
  for_each_rater(maps.size(), {available_threads(), {}}, [&](std::size_t k) {
    Channels channels(loaded.plan, grid.voxels(), settings.logits,
                      [&](std::size_t s, std::int64_t first, std::span<const float> part) {
                        loaded.levels[s][k].add(first, part);
                      });
    warnings[k] = add_map(maps[k], names[k], settings, channels);
    channels.finish();
    hold(loaded, k, held);
    append(warnings[k], warn_of_sum(channels.worst_sum(), names[k], loaded.plan));
  });
  for (const Warnings& own : warnings) append(loaded.warnings, own);
  return loaded;
}

}  // namespace crema::raters
