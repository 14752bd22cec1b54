// SPDX-License-Identifier: Apache-2.0
// The bytes are a TIFF file.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_everything(fuzz::folder().put("x.tif", {data, size}));
  return 0;
}
