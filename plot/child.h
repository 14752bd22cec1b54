// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace crema::plot {

/// What `work` returns, done in a process of its own: a library that ends its process where there is no
/// memory ends that one. InputError, UsageError and ResourceError come back; where the process came to an end
/// without an answer, and for a lack of memory, it is ResourceError. What `work` prints is lost.
/// A process forked beside threads may wait for a lock that none of its own threads holds: one that does
/// nothing for as long as `patience` is ended, and another one takes its place.
std::string in_child(const std::function<std::string()>& work,
                     std::chrono::seconds patience = std::chrono::seconds(10));

}  // namespace crema::plot
