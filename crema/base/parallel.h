// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace crema {

/// Runs f with at most that many threads for the loops below; 0 means one per core.
void with_threads(int threads, const std::function<void()>& f);

/// How many threads the loops below may use here.
int available_threads();

/// Calls body(i) for every i in [0, count), in any order and on any thread. Loops may be nested.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body);

/// Calls body(begin, end) for consecutive pieces of [0, count) that are about `grain` long.
/// The pieces do not depend on the number of threads.
void parallel_pieces(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body);

/// A thread's first exception takes memory of its own where the C++ library was loaded after the program had
/// started, as for a Python package, and the C library ends the process where there is none. This has it
/// while a lack can still be reported; false: there is none, and this thread must not throw. The loops above
/// see to it themselves.
bool ready_to_throw() noexcept;

}  // namespace crema
