// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/tiff/page.h"

namespace crema::files {

/// The samples of the page the file is at, turned upright, row by row, in this machine's byte order; samples
/// of fewer than eight bits get a byte each. Throws InputError when libtiff has anything to say about the
/// data, or a checksum is wrong, at which libtiff does not look.
std::vector<std::uint8_t> decode_page(OpenTiff& open, const TiffPage& page, const Source& source);

/// Memory that decoding a page takes, in bytes.
double decoding_bytes(const TiffPage& page);

}  // namespace crema::files
