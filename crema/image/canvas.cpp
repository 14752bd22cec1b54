// SPDX-License-Identifier: Apache-2.0
#include "crema/image/canvas.h"

#include <cstdlib>

#include <sys/mman.h>

namespace crema {
namespace {

/// From here on pages are asked for directly: calloc would now and then hand out used memory and fill it with
/// zeros, which costs more than all the rest.
constexpr std::size_t kLarge = 1 << 20;

}  // namespace

void* take_zeros(std::size_t bytes) {
  if (bytes < kLarge) {
    void* const memory = std::calloc(std::max<std::size_t>(bytes, 1), 1);  // NOLINT: given back below
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory, std::size_t bytes) noexcept {
  if (bytes < kLarge)
    std::free(memory);  // NOLINT: pairs with calloc
  else
    ::munmap(memory, bytes);
}

}  // namespace crema
