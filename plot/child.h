// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace crema::plot {

/// What `work` returns, done in a process of its own: a library that ends its process where there is no
/// memory ends that one. InputError, UsageError and ResourceError come back; where the process came to an end
/// without an answer, and for a lack of memory, it is ResourceError. What `work` prints is lost.
std::string in_child(const std::function<std::string()>& work);

}  // namespace crema::plot
