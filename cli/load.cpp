// SPDX-License-Identifier: Apache-2.0
#include "cli/load.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crema/error.h"
#include "crema/parallel.h"

namespace crema::cli {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Notes for a file that was named before, be it under another name; `first` is each file's first rater.
std::vector<std::string> find_repeats(const std::vector<std::filesystem::path>& paths,
                                      const std::vector<std::size_t>& first) {
  std::vector<std::string> notes;
  std::vector<struct stat> seen;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    struct stat here {};
    seen.push_back(here);
    if (::stat(paths[k].c_str(), &seen.back()) != 0) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (seen[j].st_ino != seen[k].st_ino || seen[j].st_dev != seen[k].st_dev) continue;
      notes.push_back(fmt::format("{}: rater {} is the same file as rater {}; it counts twice.",
                                  files::printable(paths[k]), first[k] + 1, first[j] + 1));
      break;
    }
  }
  return notes;
}

int bytes_per_set(int raters) { return raters <= 8 ? 1 : raters <= 16 ? 2 : raters <= 32 ? 4 : 8; }

std::vector<std::uint8_t> on_reference(const RaterFiles& raters, std::size_t k,
                                       std::vector<std::uint8_t> voxels) {
  if (raters.placements[k].identity) return voxels;
  return files::apply(raters.placements[k], raters.headers.front().grid, raters.headers[k].grid,
                      std::move(voxels));
}

/// The state that the threads reading the masks share.
struct Reading {
  explicit Reading(const RaterFiles& raters)
      : votes(raters.headers.front().grid.voxels(), static_cast<int>(raters.headers.size())),
        notes(raters.headers.size()),
        errors(raters.headers.size()),
        first_error(raters.headers.size()) {}

  Votes votes;
  std::mutex folding;
  std::size_t done = 0;
  std::vector<std::vector<std::string>> notes;
  std::vector<std::exception_ptr> errors;
  std::atomic<std::size_t> first_error;
};

void read_one(Reading& reading, const RaterFiles& raters, std::size_t k, const LoadOptions& options) {
  files::MaskFile file = files::read_mask(raters.headers[k], options.read);
  const auto voxels = on_reference(raters, k, std::move(file.voxels));
  const std::lock_guard lock(reading.folding);
  reading.votes.fold(static_cast<int>(k), voxels);
  reading.notes[k] = std::move(file.notes);
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

}  // namespace

RaterFiles read_headers(const std::vector<std::filesystem::path>& paths, const files::ReadOptions& options) {
  RaterFiles raters;
  std::vector<std::size_t> first;
  for (const auto& path : paths) {
    first.push_back(raters.headers.size());
    for (files::Header& header : files::read_headers(path, options)) {
      raters.headers.push_back(std::move(header));
      raters.placements.push_back(files::place(raters.headers.front(), raters.headers.back()));
      append(raters.notes, raters.headers.back().notes);
      append(raters.notes, raters.placements.back().notes);
    }
  }
  append(raters.notes, find_repeats(paths, first));
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
  auto work = [&] {
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
    for (std::size_t t = 1; t < count; ++t) others.emplace_back(work);
    work();
  }
  if (reading.first_error < raters.headers.size())
    std::rethrow_exception(reading.errors[reading.first_error]);
  Loaded loaded{std::move(reading.votes), {}};
  for (const auto& notes : reading.notes) append(loaded.notes, notes);
  return loaded;
}

int affordable_threads(std::int64_t voxels, int raters, int wanted, std::int64_t allowed) {
  // The votes, a mask per thread, and one more byte for what a file holds besides its voxels.
  const std::int64_t fixed = voxels * (bytes_per_set(raters) + 1);
  if (fixed + voxels > allowed)
    throw ResourceError(fmt::format(
        "{} voxels and {} raters need {} MB, but {} MB are allowed; crop the images or raise --max-memory.",
        voxels, raters, (fixed + voxels) >> 20, allowed >> 20));
  if (voxels == 0) return wanted;
  return static_cast<int>(std::min<std::int64_t>(wanted, (allowed - fixed) / voxels));
}

std::int64_t default_memory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) / 4 * 3 * sysconf(_SC_PAGESIZE);
}

}  // namespace crema::cli
