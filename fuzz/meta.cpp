// SPDX-License-Identifier: Apache-2.0
// The bytes are a MetaImage file; it may name a file of voxels beside it.
#include <vector>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto voxels = fuzz::folder().put("v", std::vector<std::uint8_t>(64, 1));
  fuzz::read_everything(fuzz::folder().put("x.mha", {data, size}));
  return 0;
}
