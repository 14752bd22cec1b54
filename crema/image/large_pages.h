// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crema {

/// Memory that will be filled, before it is touched: the system may lay it out in few large pages, which
/// takes a fraction of the time.
void prefer_large_pages(void* memory, std::size_t bytes);

/// Zeros, to be overwritten.
template <class Value>
std::vector<Value> large_vector(std::int64_t size) {
  std::vector<Value> list;
  list.reserve(static_cast<std::size_t>(size));
  prefer_large_pages(list.data(), list.capacity() * sizeof(Value));
  list.resize(static_cast<std::size_t>(size));
  return list;
}

}  // namespace crema
