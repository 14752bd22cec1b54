// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "files/format.h"
#include "files/io/gzip/gzip.h"
#include "files/numpy/npy_header.h"

namespace crema::files {

/// An array in a file, alone or in an archive; what Header::native holds for .npy and .npz.
struct NpyArray {
  Section section;                   ///< where it lies
  std::int64_t bytes = 0;            ///< header and values, unpacked
  std::optional<std::uint32_t> crc;  ///< of those bytes
  NpyHeader header;
  std::int64_t classes = 0;  ///< the first axis counts that many classes; 0: it is an axis of space
};

/// In place of the number of a class: all of them, one after the other.
inline constexpr std::int64_t kAllClasses = -1;

/// What is said of an array before its values are looked at. Throws InputError when it is no image.
Header array_header(NpyArray array, Format format, const Source& source, const ReadOptions& options);

/// Values as stored; of classes, one is chosen by --label and cut at --threshold.
Checked array_read_mask(const Header& header, const ReadOptions& options, const MaskSink& sink);
MapFile array_read_map(const Header& header, const ReadOptions& options);

}  // namespace crema::files
