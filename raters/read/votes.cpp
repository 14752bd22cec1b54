// SPDX-License-Identifier: Apache-2.0
#include "raters/read/votes.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/base/parallel.h"
#include "crema/stop.h"
#include "crema/tables/settings.h"
#include "crema/voxels/votes/shared_votes.h"
#include "files/io/system/machine.h"
#include "raters/read/census.h"
#include "raters/read/each_rater.h"

namespace crema::raters {
namespace {

int bytes_per_set(int raters) { return raters <= 8 ? 1 : raters <= 16 ? 2 : raters <= 32 ? 4 : 8; }

/// Voxels that are folded before it is checked whether to stop: half a millisecond's worth.
constexpr std::int64_t kVoxelsBetweenStops = std::int64_t{1} << 20;

/// A mask on the reference's grid is folded as it is read; one that lies otherwise is held until it is
/// turned.
Warnings fold_one(SharedVotes& votes, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  const int rater = static_cast<int>(k);
  const files::Header& header = raters.headers[k];
  throw_if_stopped(options.stop);
  if (raters.placements[k].identity) {
    std::int64_t next = kVoxelsBetweenStops;
    return files::stream_mask(header, options.read, [&](std::int64_t first, Mask part) {
      if (first >= next) {
        throw_if_stopped(options.stop);
        next = first + kVoxelsBetweenStops;
      }
      votes.fold(rater, first, part);
    });
  }
  files::MaskFile file = files::read_mask(header, options.read);
  votes.fold(rater, 0,
             files::apply(raters.placements[k], raters.reference.grid, header.grid, std::move(file.voxels)));
  return file.warnings;
}

bool is_about_an_image(const Warning& warning) { return warning.kind == WarningKind::unlike; }

/// Where all files are cut alike, logits or grey values may be what was drawn; one among masks is an image.
void keep_odd_ones(std::vector<Warnings>& warnings) {
  if (std::all_of(warnings.begin(), warnings.end(),
                  [](const Warnings& own) { return std::any_of(own.begin(), own.end(), is_about_an_image); }))
    for (Warnings& own : warnings) std::erase_if(own, is_about_an_image);
}

}  // namespace

Loaded read_votes(const RaterFiles& raters, const LoadOptions& options) {
  const std::size_t count = raters.headers.size();
  SharedVotes votes(raters.reference.grid.voxels(), static_cast<int>(count));
  std::vector<Warnings> warnings(count);
  for_each_rater(count, {options.threads, options.progress},
                 [&](std::size_t k) { warnings[k] = fold_one(votes, raters, k, options); });
  keep_odd_ones(warnings);
  Loaded loaded{std::move(votes).take(), {}};
  for (const Warnings& own : warnings) append(loaded.warnings, own);
  return loaded;
}

Loaded take_masks(const Grid& grid, std::span<const Mask> masks, std::span<const std::string> names) {
  ByteCensus census(masks.size(), grid.voxels());
  Loaded loaded{take_votes(grid.voxels(), masks,
                           [&](std::size_t rater, Mask block, std::uint8_t bits) {
                             if (!names[rater].empty()) census.look_at(rater, block, bits);
                           }),
                {}};
  for (std::size_t k = 0; k < masks.size(); ++k)
    if (!names[k].empty()) append(loaded.warnings, census.check(k, masks[k], names[k], grid));
  return loaded;
}

std::string values_text(const RaterFiles& raters) {
  const files::Header& first = first_present(raters);
  std::uint16_t inside = 0;
  try {
    files::stream_mask(first, {}, [](std::int64_t, Mask) {});
    files::stream_labels(first, {}, [&](std::int64_t, std::span<const std::uint16_t> part) {
      for (const std::uint16_t value : part) inside = std::max(inside, value);
    });
  } catch (const InputError& e) {
    const std::string text = e.sentence.text();
    return text.substr(0, text.find(", but"));
  }
  return fmt::format("{} holds 0{}", files::printable(files::rater_name(first)),
                     inside > 0 ? fmt::format(" and {}", inside) : " alone");
}

int affordable_threads(const ReadingNeed& need, int wanted, std::int64_t allowed) {
  // The votes, and one more byte for what is counted; a mask that is turned lies in memory twice for a while.
  const std::int64_t fixed = need.voxels * (bytes_per_set(need.raters) + 1);
  const std::int64_t each = need.voxels * (need.held.always + (need.turned ? 2 * need.held.turned : 0));
  if (fixed + each > allowed)
    throw ResourceError(fmt::format(
        "{} voxels and {} raters need {}, but {} are allowed; crop the images or raise {}.", need.voxels,
        need.raters, megabytes(fixed + each), megabytes(allowed), Sentence::setting("max_memory")));
  return each == 0 ? wanted : static_cast<int>(std::min<std::int64_t>(wanted, (allowed - fixed) / each));
}

std::int64_t allowed_memory(const Settings& settings) {
  if (settings.max_memory > 0) return settings.max_memory;
  return files::machine_memory() / 4 * 3;
}

LoadOptions load_options(const RaterFiles& raters, const Settings& settings, int threads, HeldBytes held,
                         const Hooks& hooks) {
  const auto in_place = [](const files::Placement& placement) { return placement.identity; };
  const ReadingNeed need{
      .voxels = raters.reference.grid.voxels(),
      .raters = static_cast<int>(raters.headers.size()),
      .held = held,
      .turned = !std::all_of(raters.placements.begin(), raters.placements.end(), in_place)};
  LoadOptions options{.read = read_options(settings)};
  options.threads = affordable_threads(need, threads, allowed_memory(settings));
  if (hooks.progress) options.progress = [&hooks](double share) { hooks.progress("reading", share); };
  options.stop = hooks.stop;
  return options;
}

}  // namespace crema::raters
