// SPDX-License-Identifier: Apache-2.0
// Memory for crema/image/canvas.h where there are no pages to map.
#include "crema/image/canvas.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace crema {

void* take_zeros(std::size_t bytes) {
  void* const memory = std::calloc(std::max<std::size_t>(bytes, 1), 1);  // NOLINT: given back below
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* take_pattern(std::size_t bytes, std::uint32_t pattern) {
  constexpr std::size_t kEach = sizeof(pattern);
  void* const memory = take_zeros((bytes + kEach - 1) / kEach * kEach);
  if (pattern != 0) std::fill_n(static_cast<std::uint32_t*>(memory), (bytes + kEach - 1) / kEach, pattern);
  return memory;
}

void give_back(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }  // NOLINT: as above

}  // namespace crema
