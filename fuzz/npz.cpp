// SPDX-License-Identifier: Apache-2.0
// The bytes are a NumPy archive.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_everything(fuzz::folder().put("x.npz", {data, size}));
  return 0;
}
