// SPDX-License-Identifier: Apache-2.0
// A consensus of several labels as files hold it.
#pragma once

#include "raters/labels.h"

namespace crema::raters {

/// An image, and what its file says of it.
struct LabelPicture {
  Image image;
  files::Header reference;
};

/// One label per voxel; where labels may overlap, a segmentation with as many layers as that needs. Takes the
/// map out of the consensus. `path` is where it will be written.
LabelPicture label_picture(const LabelCase& counted, LabelConsensus& consensus,
                           const std::filesystem::path& path);

/// One map of levels per label, as channels; for soft methods. Throws ResourceError where they are too large.
LabelPicture levels_picture(const LabelCase& counted, const LabelConsensus& consensus);

/// Asks for the memory that the levels of all labels take.
void require_levels(const LabelCase& counted);

}  // namespace crema::raters
