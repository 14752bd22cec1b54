// SPDX-License-Identifier: Apache-2.0
// The loops of crema/base/parallel.h on one thread, as a page has them.
#include "crema/base/parallel.h"

#include <algorithm>

namespace crema {

void with_threads(int /*threads*/, const std::function<void()>& f) { f(); }

int available_threads() { return 1; }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  for (std::int64_t i = 0; i < count; ++i) body(i);
}

void parallel_pieces(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  for (std::int64_t begin = 0; begin < count; begin += grain) body(begin, std::min(count, begin + grain));
}

}  // namespace crema
