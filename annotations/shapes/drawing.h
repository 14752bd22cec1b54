// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "annotations/dataset.h"
#include "crema/image/image.h"
#include "files/files.h"

namespace crema::annotations {

/// What one annotator drew on a picture, as a file of crema holds it.
struct Drawing {
  Image image;
  files::Header reference;
  std::int64_t unmarked = 0;  ///< objects that hold no centre of a pixel
};

/// All objects as one mask.
Drawing draw_mask(Extent picture, std::span<const Object* const> objects);

/// A segment for each of these categories, in as many layers as overlaps need; segments have the numbers of
/// their categories, counted from 1, whatever the annotator drew.
Drawing draw_segments(Extent picture, std::span<const Object* const> objects,
                      const std::vector<Category>& categories, std::span<const std::size_t> present);

/// What drawing takes at most, in bytes.
std::int64_t drawing_bytes(Extent picture, std::size_t categories);

/// A header for a picture of which no size of pixels is known.
files::Header header_of(Extent picture);

}  // namespace crema::annotations
