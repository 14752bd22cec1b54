// SPDX-License-Identifier: Apache-2.0
// Zeros for crema/image/canvas.h where there are no pages to map.
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

void give_back(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }  // NOLINT: as above

}  // namespace crema
