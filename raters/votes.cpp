// SPDX-License-Identifier: Apache-2.0
#include "raters/votes.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/stop.h"
#include "crema/voxels/shared_votes.h"
#include "raters/census.h"
#include "raters/each_rater.h"

namespace crema::raters {
namespace {

int bytes_per_set(int raters) { return raters <= 8 ? 1 : raters <= 16 ? 2 : raters <= 32 ? 4 : 8; }

/// Voxels that are folded before anybody is asked whether to stop: half a millisecond's worth.
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

}  // namespace

Loaded read_votes(const RaterFiles& raters, const LoadOptions& options) {
  const std::size_t count = raters.headers.size();
  SharedVotes votes(raters.reference.grid.voxels(), static_cast<int>(count));
  std::vector<Warnings> warnings(count);
  for_each_rater(count, {options.threads, options.progress},
                 [&](std::size_t k) { warnings[k] = fold_one(votes, raters, k, options); });
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
  const files::Header& first = raters.headers.front();
  try {
    files::stream_mask(first, {}, [](std::int64_t, Mask) {});
  } catch (const InputError& e) {
    const std::string text = e.sentence.text();
    return text.substr(0, text.find(", but"));
  }
  return fmt::format("{}: holds 0 and one other value", files::printable(files::rater_name(first)));
}

int affordable_threads(const ReadingNeed& need, int wanted, std::int64_t allowed) {
  // The votes, and one more byte for what is counted; a mask that is turned lies in memory twice for a while.
  const std::int64_t fixed = need.voxels * (bytes_per_set(need.raters) + 1);
  const std::int64_t each = need.turned ? 2 * need.voxels * need.value_bytes : 0;
  if (fixed + each > allowed)
    throw ResourceError(fmt::format(
        "{} voxels and {} raters need {} MB, but {} MB are allowed; crop the images or raise {}.",
        need.voxels, need.raters, (fixed + each) >> 20, allowed >> 20, Sentence::setting("max_memory")));
  return each == 0 ? wanted : static_cast<int>(std::min<std::int64_t>(wanted, (allowed - fixed) / each));
}

std::int64_t default_memory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) / 4 * 3 * sysconf(_SC_PAGESIZE);
}

}  // namespace crema::raters
