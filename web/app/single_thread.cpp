// SPDX-License-Identifier: Apache-2.0
// What the program leaves to threads and to the system's memory, where there is one thread and no such
// system.
#include "files/values/collect.h"
#include "raters/read/each_rater.h"

namespace crema {

files::MaskCollector::MaskCollector(std::int64_t voxels) {
  voxels_.reserve(static_cast<std::size_t>(voxels));
}

files::MaskSink files::MaskCollector::sink() {
  return
      [this](std::int64_t /*first*/, Mask part) { voxels_.insert(voxels_.end(), part.begin(), part.end()); };
}

void raters::for_each_rater(std::size_t raters, const Readers& /*readers*/,
                            const std::function<void(std::size_t)>& read) {
  for (std::size_t k = 0; k < raters; ++k) read(k);
}

}  // namespace crema
