// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/files.h"

namespace crema::files {

/// Holds a whole mask as its parts arrive. It must outlive the sink it gives.
class MaskCollector {
 public:
  explicit MaskCollector(std::int64_t voxels);

  MaskSink sink();
  [[nodiscard]] std::vector<std::uint8_t> take() && { return std::move(voxels_); }

 private:
  void provide_pages(std::size_t end);

  std::vector<std::uint8_t> voxels_;
  std::size_t provided_ = 0;  ///< so many bytes have their memory already
};

}  // namespace crema::files
