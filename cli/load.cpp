// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crema/error.h"
#include "crema/parallel.h"
#include "crema/voxels/shared_votes.h"

namespace crema::cli {
namespace {

/// Warnings for a file that was named before, be it under another name; `first` is each file's first rater.
Warnings find_repeats(const std::vector<std::filesystem::path>& paths,
                      const std::vector<std::size_t>& first) {
  Warnings warnings;
  std::vector<struct stat> seen;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    struct stat here {};
    seen.push_back(here);
    if (::stat(paths[k].c_str(), &seen.back()) != 0) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (seen[j].st_ino != seen[k].st_ino || seen[j].st_dev != seen[k].st_dev) continue;
      warnings.push_back(fmt::format("{}: rater {} is the same file as rater {}; it counts twice.",
                                     files::printable(paths[k]), first[k] + 1, first[j] + 1));
      break;
    }
  }
  return warnings;
}

/// Where a grid does not fit because a header is damaged, the damage is what has to be told.
files::Placement place(const files::Header& reference, const files::Header& other,
                       const files::ReadOptions& options) {
  try {
    return files::place(reference, other);
  } catch (const InputError&) {
    for (const files::Header* header : {&reference, &other})
      files::stream_mask(*header, options, [](std::int64_t, Mask) {});
    throw;
  }
}

int bytes_per_set(int raters) { return raters <= 8 ? 1 : raters <= 16 ? 2 : raters <= 32 ? 4 : 8; }

/// The state that the threads reading the masks share.
struct Reading {
  explicit Reading(const RaterFiles& raters)
      : votes(raters.headers.front().grid.voxels(), static_cast<int>(raters.headers.size())),
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
Warnings fold_one(SharedVotes& votes, const RaterFiles& raters, std::size_t k,
                  const files::ReadOptions& options) {
  const int rater = static_cast<int>(k);
  const files::Header& header = raters.headers[k];
  if (raters.placements[k].identity)
    return files::stream_mask(header, options,
                              [&](std::int64_t first, Mask part) { votes.fold(rater, first, part); });
  files::MaskFile file = files::read_mask(header, options);
  votes.fold(
      rater, 0,
      files::apply(raters.placements[k], raters.headers.front().grid, header.grid, std::move(file.voxels)));
  return file.warnings;
}

void read_one(Reading& reading, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  reading.warnings[k] = fold_one(reading.votes, raters, k, options.read);
  const std::lock_guard lock(reading.telling);
  ++reading.done;
  if (options.progress)
    options.progress(static_cast<double>(reading.done) / static_cast<double>(raters.headers.size()));
}

/// RaterFiles after a faulty one are not worth reading; those before it are, as they may be faulty too.
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

RaterFiles read_headers(const std::vector<std::filesystem::path>& paths, const files::ReadOptions& options) {
  RaterFiles raters;
  std::vector<std::size_t> first;
  for (const auto& path : paths) {
    first.push_back(raters.headers.size());
    for (files::Header& header : files::read_headers(path, options)) {
      raters.headers.push_back(std::move(header));
      raters.placements.push_back(place(raters.headers.front(), raters.headers.back(), options));
      append(raters.warnings, raters.headers.back().warnings);
      append(raters.warnings, raters.placements.back().warnings);
    }
  }
  append(raters.warnings, find_repeats(paths, first));
  return raters;
}

std::vector<std::string> rater_names(const RaterFiles& raters) {
  std::vector<std::string> names;
  for (const files::Header& header : raters.headers) names.push_back(files::rater_name(header));
  return names;
}

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

int affordable_threads(const ReadingNeed& need, int wanted, std::int64_t allowed) {
  // The votes, and one more byte for what is counted; a mask that is turned lies in memory twice for a while.
  const std::int64_t fixed = need.voxels * (bytes_per_set(need.raters) + 1);
  const std::int64_t each = need.turned ? 2 * need.voxels : 0;
  if (fixed + each > allowed)
    throw ResourceError(fmt::format(
        "{} voxels and {} raters need {} MB, but {} MB are allowed; crop the images or raise --max-memory.",
        need.voxels, need.raters, (fixed + each) >> 20, allowed >> 20));
  return each == 0 ? wanted : static_cast<int>(std::min<std::int64_t>(wanted, (allowed - fixed) / each));
}

std::int64_t default_memory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) / 4 * 3 * sysconf(_SC_PAGESIZE);
}

}  // namespace crema::cli
