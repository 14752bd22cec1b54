// SPDX-License-Identifier: Apache-2.0
#include "raters/read/each_rater.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "crema/base/parallel.h"

namespace crema::raters {
namespace {

/// The state that the threads share.
struct Reading {
  explicit Reading(std::size_t raters) : errors(raters), first_error(raters) {}

  std::mutex telling;
  std::size_t done = 0;
  std::vector<std::exception_ptr> errors;
  std::atomic<std::size_t> first_error;
};

void read_one(Reading& reading, std::size_t k, const Readers& readers,
              const std::function<void(std::size_t)>& read) {
  read(k);
  const std::lock_guard lock(reading.telling);
  ++reading.done;
  if (readers.progress)
    readers.progress(static_cast<double>(reading.done) / static_cast<double>(reading.errors.size()));
}

/// Raters after a faulty one are not worth reading; those before it are, as they may be faulty too.
void try_one(Reading& reading, std::size_t k, const Readers& readers,
             const std::function<void(std::size_t)>& read) {
  if (k > reading.first_error) return;
  try {
    read_one(reading, k, readers, read);
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

void for_each_rater(std::size_t raters, const Readers& readers,
                    const std::function<void(std::size_t)>& read) {
  Reading reading(raters);
  std::atomic<std::size_t> next{0};
  const std::function<void()> work = [&] {
    // One thread each, whatever folding does inside: the number of threads is the caller's to choose.
    with_threads(1, [&] {
      for (std::size_t k = next++; k < raters; k = next++) try_one(reading, k, readers, read);
    });
  };
  {
    const auto count = std::min(static_cast<std::size_t>(std::max(readers.threads, 1)), raters);
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < count; ++t) start_thread(others, work);
    work();
  }
  if (reading.first_error < raters) std::rethrow_exception(reading.errors[reading.first_error]);
}

}  // namespace crema::raters
