// SPDX-License-Identifier: Apache-2.0
// The bytes are a gzip file, with checksums as they come.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_everything(fuzz::folder().put("x.nii.gz", {data, size}));
  return 0;
}
