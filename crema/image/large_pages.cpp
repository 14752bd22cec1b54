// SPDX-License-Identifier: Apache-2.0
#include "crema/image/large_pages.h"

#include <cstdint>

#include <sys/mman.h>

namespace crema {

#ifdef MADV_HUGEPAGE
/// It is a hint: where the system does not follow it, pages are small.
void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t kMin = std::size_t{4} << 20, kPage = 4096;
  if (bytes < kMin) return;
  const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
  ::madvise(static_cast<unsigned char*>(memory) + before, (bytes - before) / kPage * kPage, MADV_HUGEPAGE);
}
#else
void prefer_large_pages(void*, std::size_t) {}
#endif

}  // namespace crema
