// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "files/io/source.h"
#include "files/values/upright.h"

namespace crema::files {

/// What the chunks of a PNG say that matters for a mask, apart from its pixels.
struct PngChunks {
  Orientation orientation;           ///< of eXIf
  bool unreadable = false;           ///< there is an eXIf in which nothing can be found
  bool consensus = false;            ///< marked as made by fusing raters
  std::optional<std::string> level;  ///< the text of the mark of a map of levels

  friend bool operator==(const PngChunks&, const PngChunks&) = default;
};

/// Goes through all chunks without unpacking any; stops where the file ends too early, which decoding
/// reports. Throws InputError when a chunk it looks into is damaged or there twice.
PngChunks read_chunks(const Source& source);

}  // namespace crema::files
