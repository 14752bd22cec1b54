// SPDX-License-Identifier: Apache-2.0
// The bytes are a PNG file, once as they come and once with the checksums of its chunks corrected.
#include "fuzz/fuzz.h"
#include "fuzz/png_bytes.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_everything(fuzz::folder().put("x.png", {data, size}));
  fuzz::read_everything(fuzz::folder().put("x.png", fuzz::with_checksums({data, data + size})));
  return 0;
}
