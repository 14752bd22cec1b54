// SPDX-License-Identifier: Apache-2.0
#include "crema/parallel.h"

#include <algorithm>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#ifdef CREMA_TELL_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace crema {
namespace {

/// What is promised about order: all before a loop happens before its bodies, and they before all after it.
/// The thread sanitizer cannot see that inside oneTBB, which is not instrumented, so it is told here.
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

void execute(tbb::task_arena arena, const std::function<void()>& f) {
  Order order;
  arena.execute([&] {
    const Inside inside(order);
    f();
  });
}

}  // namespace

void with_threads(int threads, const std::function<void()>& f) {
  if (threads <= 0) return execute(tbb::task_arena(), f);
  // Without it oneTBB grumbles on standard error when more threads are asked for than there are cores.
  const tbb::global_control allowed(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency())));
  execute(tbb::task_arena(threads), f);
}

int available_threads() { return tbb::this_task_arena::max_concurrency(); }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  if (count == 1) return body(0);
  Order order;
  tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
    const Inside inside(order);
    body(i);
  });
}

void parallel_pieces(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t pieces = (count + grain - 1) / grain;
  parallel_for(pieces, [&](std::int64_t i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

}  // namespace crema
