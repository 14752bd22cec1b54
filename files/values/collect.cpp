// SPDX-License-Identifier: Apache-2.0
#include "files/values/collect.h"

#include <sys/mman.h>

namespace crema::files {

MaskCollector::MaskCollector(std::int64_t voxels) { voxels_.reserve(static_cast<std::size_t>(voxels)); }

MaskSink MaskCollector::sink() {
  return [this](std::int64_t /*first*/, Mask part) {
    provide_pages(voxels_.size() + part.size());
    voxels_.insert(voxels_.end(), part.begin(), part.end());
  };
}

/// Has the system provide many pages at once: one fault per page costs more than inflating into it. Large
/// pages would be cheaper still, but the system may stop to make room for them.
void MaskCollector::provide_pages(std::size_t end) {
  constexpr std::size_t kPage = 4096, kAhead = 256 * 1024;
  if (end <= provided_ || end > voxels_.capacity()) return;
  const std::size_t to_page = -reinterpret_cast<std::uintptr_t>(voxels_.data()) % kPage;
  const std::size_t from = (std::max(provided_, to_page) - to_page) / kPage * kPage + to_page;
  provided_ = std::min(end + kAhead, voxels_.capacity());
  if (provided_ < from + kPage) return;
  ::madvise(voxels_.data() + from, (provided_ - from) / kPage * kPage, MADV_POPULATE_WRITE);
}

}  // namespace crema::files
