// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "files/dicom/slices.h"

namespace crema::files::dicom {

/// Takes the pixels of the next slice; empty for one that is not stored, whose pixels are all 0.
using TakeSlice = std::function<void(std::span<const std::uint8_t> pixels)>;

/// Hands the slices of one segment over from the first to the last, one byte per pixel, two where pixels have
/// 16 bits; no more than one slice is held.
void read_slices(const Segmentation& file, const std::vector<Slice>& slices, std::int32_t count,
                 const Source& source, const TakeSlice& take);

/// Bits one after the other, the lowest of a byte first, as bytes of 0 and 1; `skip` bits before the first
/// are passed over.
void spread_bits(std::span<const std::uint8_t> packed, unsigned skip, std::span<std::uint8_t> bytes);

}  // namespace crema::files::dicom
