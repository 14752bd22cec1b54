// SPDX-License-Identifier: Apache-2.0
#include "raters/votes.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/stop.h"
#include "crema/voxels/shared_votes.h"
#include "raters/census.h"

namespace crema::raters {
namespace {

int bytes_per_set(int raters) { return raters <= 8 ? 1 : raters <= 16 ? 2 : raters <= 32 ? 4 : 8; }

/// The state that the threads reading the masks share.
struct Reading {
  explicit Reading(const RaterFiles& raters)
      : votes(raters.reference.grid.voxels(), static_cast<int>(raters.headers.size())),
        warnings(raters.headers.size()),
        errors(raters.headers.size()),
        first_error(raters.headers.size()) {}

  SharedVotes votes;
  std::mutex telling;
  std::size_t done = 0;
  std::vector<Warnings> warnings;
  std::vector<std::exception_ptr> errors;
  std::atomic<std::size_t> first_error;
};

/// A mask on the reference's grid is folded as it is read; one that lies otherwise is held until it is
/// turned.
Warnings fold_one(SharedVotes& votes, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  const int rater = static_cast<int>(k);
  const files::Header& header = raters.headers[k];
  if (raters.placements[k].identity)
    return files::stream_mask(header, options.read, [&](std::int64_t first, Mask part) {
      throw_if_stopped(options.stop);
      votes.fold(rater, first, part);
    });
  throw_if_stopped(options.stop);
  files::MaskFile file = files::read_mask(header, options.read);
  votes.fold(rater, 0,
             files::apply(raters.placements[k], raters.reference.grid, header.grid, std::move(file.voxels)));
  return file.warnings;
}

void read_one(Reading& reading, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  reading.warnings[k] = fold_one(reading.votes, raters, k, options);
  const std::lock_guard lock(reading.telling);
  ++reading.done;
  if (options.progress)
    options.progress(static_cast<double>(reading.done) / static_cast<double>(raters.headers.size()));
}

/// Raters after a faulty one are not worth reading; those before it are, as they may be faulty too.
void try_one(Reading& reading, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  if (k > reading.first_error) return;
  try {
    read_one(reading, raters, k, options);
  } catch (...) {
    reading.errors[k] = std::current_exception();
    std::size_t seen = reading.first_error;
    while (k < seen && !reading.first_error.compare_exchange_weak(seen, k)) {
    }
  }
}

/// One more thread for the work. One that cannot be had, or that finds no memory to begin with, is done
/// without: the others take what it would have taken.
void start_thread(std::vector<std::jthread>& threads, const std::function<void()>& work) {
  try {
    threads.emplace_back([&work] {
      try {
        work();
      } catch (const std::bad_alloc&) {
        return;
      }
    });
  } catch (const std::system_error&) {
    return;
  }
}

}  // namespace

Loaded read_votes(const RaterFiles& raters, const LoadOptions& options) {
  Reading reading(raters);
  std::atomic<std::size_t> next{0};
  const std::function<void()> work = [&] {
    // One thread each, whatever folding does inside: the number of threads is the caller's to choose.
    with_threads(1, [&] {
      for (std::size_t k = next++; k < raters.headers.size(); k = next++)
        try_one(reading, raters, k, options);
    });
  };
  {
    const auto count =
        std::min(static_cast<std::size_t>(std::max(options.threads, 1)), raters.headers.size());
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < count; ++t) start_thread(others, work);
    work();
  }
  if (reading.first_error < raters.headers.size())
    std::rethrow_exception(reading.errors[reading.first_error]);
  Loaded loaded{std::move(reading.votes).take(), {}};
  for (const auto& warnings : reading.warnings) append(loaded.warnings, warnings);
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
  const std::int64_t each = need.turned ? 2 * need.voxels : 0;
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
