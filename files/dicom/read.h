// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "files/dicom/series.h"

namespace crema::files::dicom {

/// A file whose header has been read.
struct Native {
  Segmentation file;
  Stack stack;
  std::uint64_t mark = 0;  ///< of all bytes before the pixels
};

struct Outlined;

/// What Header::native holds: a segment of a file, a structure that is outlined, or a series, which is no
/// mask.
struct SegmentNative {
  std::shared_ptr<const Native> file;
  std::size_t segment = 0;
  std::shared_ptr<const Series> series = {};
  std::shared_ptr<const Outlined> outlined = {};
};

/// A number that is another one when the bytes before the pixels change.
std::uint64_t mark_of(const Source& source, const Segmentation& file);

}  // namespace crema::files::dicom
