// SPDX-License-Identifier: Apache-2.0
// The headers of an image series: what a segmentation of it has to say, and where its voxels lie.
#pragma once

#include <filesystem>
#include <map>

#include "files/dicom/elements/tags.h"
#include "files/dicom/slices.h"

namespace crema::files::dicom {

/// One image of a series.
struct Instance {
  std::string sop_class, sop_instance;
  std::string position;  ///< as the file has it
  std::filesystem::path path;
};

struct Series {
  std::map<Tag, std::string>
      shared;  ///< texts of patient, study and series, in UTF-8 where their character set is known
  std::string characters;        ///< the character set they are written in
  std::vector<Instance> slices;  ///< from the first to the last along the normal
  Stack stack;
  Measures measures;
  std::string orientation, pixel_spacing, thickness;  ///< as the first image has them
};

/// Empty where the series does not state it.
std::string shared_text(const Series& series, Tag tag);

/// The one series in a folder. Refuses a folder with none or several, and one whose slices have gaps.
Series read_series(const std::filesystem::path& folder);

}  // namespace crema::files::dicom
