// SPDX-License-Identifier: Apache-2.0
// The bytes are a PNG file, once as they come and once with the checksums of its chunks put right.
#include <vector>

#include <libdeflate.h>

#include "fuzz/fuzz.h"

namespace {

std::size_t big_endian(const std::uint8_t* at) {
  return std::size_t{at[0]} << 24 | std::size_t{at[1]} << 16 | std::size_t{at[2]} << 8 | at[3];
}

std::vector<std::uint8_t> with_checksums(std::vector<std::uint8_t> file) {
  // Signature; then length, name, content and checksum of each chunk.
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = big_endian(file.data() + at);
    if (length > file.size() - at - 12) break;
    const std::uint32_t sum = libdeflate_crc32(0, file.data() + at + 4, length + 4);
    for (std::size_t i = 0; i < 4; ++i)
      file[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    at += 12 + length;
  }
  return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_everything(fuzz::folder().put("x.png", {data, size}));
  fuzz::read_everything(fuzz::folder().put("x.png", with_checksums({data, data + size})));
  return 0;
}
