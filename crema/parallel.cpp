// SPDX-License-Identifier: Apache-2.0
#include "crema/parallel.h"

#include <algorithm>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace crema {

void with_threads(int threads, const std::function<void()>& f) {
  if (threads <= 0) return tbb::task_arena().execute(f);
  // Without it oneTBB grumbles on standard error when more threads are asked for than there are cores.
  const tbb::global_control allowed(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency())));
  tbb::task_arena(threads).execute(f);
}

int available_threads() { return tbb::this_task_arena::max_concurrency(); }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  if (count == 1) return body(0);
  tbb::parallel_for(std::int64_t{0}, count, body);
}

void parallel_pieces(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t pieces = (count + grain - 1) / grain;
  parallel_for(pieces, [&](std::int64_t i) { body(i * grain, std::min(count, (i + 1) * grain)); });
}

}  // namespace crema
