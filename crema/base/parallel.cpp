// SPDX-License-Identifier: Apache-2.0
#include "crema/base/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <thread>

#include <cxxabi.h>
#include <pthread.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#ifdef CREMA_TELL_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace crema {
namespace {

/// What is promised about order: all before a loop happens before its bodies, and they before all after it.
/// The thread sanitizer cannot see that inside oneTBB, which is not instrumented, so it is said here.
struct Order {
  char before = 0, after = 0;
#ifdef CREMA_TELL_TSAN
  Order() { __tsan_release(&before); }
  ~Order() { __tsan_acquire(&after); }
  void enter() { __tsan_acquire(&before); }
  void leave() { __tsan_release(&after); }
#else
  void enter() {}
  void leave() {}
#endif
};

struct Inside {
  explicit Inside(Order& o) : order(o) { order.enter(); }
  ~Inside() { order.leave(); }
  Order& order;
};

/// What is done on threads of oneTBB, each of which has to be able to report what goes wrong there.
class Guard {
 public:
  template <class F>
  void run(const F& f) {
    if (!ready_to_throw()) {
      lacking_ = true;
      return;
    }
    const Inside inside(order_);
    f();
  }
  /// Once all is done: throws where a thread lacked memory.
  void check() const {
    if (lacking_) throw std::bad_alloc();
  }

 private:
  Order order_;
  std::atomic<bool> lacking_ = false;
};

/// In an arena of so many threads. oneTBB frees arenas late and looks through all there are, so that
/// thousands of them would take time that grows with their square: where the calling thread's own has as
/// many, that one is used, closed to other tasks as a new one would be.
void execute(int threads, const std::function<void()>& f) {
  Guard guard;
  const auto body = [&] { guard.run(f); };
  if (tbb::this_task_arena::max_concurrency() == threads) {
    tbb::this_task_arena::isolate(body);
  } else {
    tbb::task_arena(threads).execute(body);
  }
  guard.check();
}

/// Bytes that the process may still map; none: as many as it likes.
std::optional<std::int64_t> room_left() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  std::int64_t pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "re"); file != nullptr) {
    std::array<char, 32> text{};
    if (std::fgets(text.data(), static_cast<int>(text.size()), file) != nullptr)
      pages = std::strtoll(text.data(), nullptr, 10);
    std::fclose(file);
  }
  return static_cast<std::int64_t>(limit.rlim_cur) - pages * ::sysconf(_SC_PAGESIZE);
}

/// What a thread maps: its stack, and the part of the heap that the C library gives each.
std::int64_t thread_bytes() {
  constexpr std::int64_t kHeap = std::int64_t{64} << 20, kUsualStack = std::int64_t{8} << 20;
  struct rlimit limit {};
  const bool known = ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return kHeap + (known ? static_cast<std::int64_t>(limit.rlim_cur) : kUsualStack);
}

/// Has all threads started, and what each needs of its own, while there is room for them.
void start_threads(int count) {
  std::atomic<int> started = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  tbb::task_arena(count).execute([&] {
    tbb::parallel_for(
        0, count,
        [&](int) {
          ready_to_throw();
          ++started;
          while (started < count && std::chrono::steady_clock::now() < until) std::this_thread::yield();
        },
        tbb::simple_partitioner());
  });
}

/// Where the address space is limited, oneTBB ends the process when one of its threads cannot start another.
/// So no more are allowed than half of what is left has room for, from the beginning to the end.
class Limit {
 public:
  Limit() {
    const std::optional<std::int64_t> left = room_left();
    if (!left) return;
    most = static_cast<int>(std::clamp<std::int64_t>(*left / 2 / thread_bytes(), 1, 1024));
    kept_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(most));
    if (const int usual = std::min(most, tbb::info::default_concurrency()); usual > 1) start_threads(usual);
  }

  int most = std::numeric_limits<int>::max();

 private:
  std::optional<tbb::global_control> kept_;
};

/// Never given back: at the end of the process oneTBB would start the threads that it was not allowed before.
const Limit& limit() {
  static const Limit* const found = std::make_unique<Limit>().release();
  return *found;
}

/// Known by a key and not by a thread-local variable, which would take the same memory.
pthread_key_t ready_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    ::pthread_key_create(&made, nullptr);
    return made;
  }();
  return key;
}

}  // namespace

bool ready_to_throw() noexcept {
  static char yes = 0;
  if (::pthread_getspecific(ready_key()) != nullptr) return true;
  // Small blocks that were had and given back stay this thread's: what the C library takes next is one of
  // them. Through pointers that may change, or the compiler leaves out what looks useless.
  constexpr std::size_t kSmallest = 24, kStep = 16;
  static void* (*volatile const take)(std::size_t) = std::malloc;
  static abi::__cxa_eh_globals* (*volatile const prepare)() = abi::__cxa_get_globals;
  std::array<void*, 16> blocks{};
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = take(kSmallest + i * kStep);
  const bool enough = std::find(blocks.begin(), blocks.end(), nullptr) == blocks.end();
  for (void* const block : blocks) std::free(block);
  if (!enough) return false;
  prepare();
  ::pthread_setspecific(ready_key(), &yes);
  return true;
}

void with_threads(int threads, const std::function<void()>& f) {
  threads = std::min(threads, limit().most);
  if (threads <= 0) return execute(tbb::info::default_concurrency(), f);
  // Without it oneTBB grumbles on standard error when more threads are requested than there are cores.
  const tbb::global_control allowed(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency())));
  execute(threads, f);
}

int available_threads() { return tbb::this_task_arena::max_concurrency(); }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  if (count == 1) return body(0);
  limit();
  Guard guard;
  tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) { guard.run([&] { body(i); }); });
  guard.check();
}

void parallel_pieces(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t pieces = (count + grain - 1) / grain;
  parallel_for(pieces, [&](std::int64_t i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

}  // namespace crema
