// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "crema/base/parallel.h"

/// Two bodies of one loop write to the same place without a lock. The thread sanitizer has to see it.
int main() {
  long shared = 0;
  crema::with_threads(4, [&] { crema::parallel_for(100'000, [&](std::int64_t i) { shared += i; }); });
  std::printf("%ld\n", shared);
}
