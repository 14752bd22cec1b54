// SPDX-License-Identifier: Apache-2.0
// The bytes are a NIfTI file behind gzip, whose checksums are right.
#include <array>

#include "files/io/gzip/gzip.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::array pieces{crema::files::Piece({data, size})};
  fuzz::read_everything(fuzz::folder().put("x.nii.gz", crema::files::gzip(pieces)));
  return 0;
}
