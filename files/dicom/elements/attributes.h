// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/dicom/segmentation.h"

namespace crema::files::dicom {

/// The attributes of a data set as they are stated, before anything is concluded from them.
struct Attributes {
  std::string syntax, sop_class, type, characters, organisation, description, frame_of_reference;
  std::string patient, study;
  std::uint16_t rows = 0, columns = 0, samples = 1, bits = 0, stored = 0, is_signed = 0, padding = 0;
  std::uint16_t maximum = 0;
  std::int64_t frame_count = 0;
  bool slide = false;
  bool pixels_found = false;
  std::int64_t pixel_offset = 0, pixel_length = 0;
  Frame shared_frame;
  std::vector<Frame> frames;
  std::vector<Segment> segments;
  Measures measures;
  std::int64_t zeros = 0;  ///< behind the last element
};

/// Refuses other transfer syntaxes than little endian without compression.
void check_syntax(const std::string& syntax, const std::filesystem::path& path);

/// Walks through the file once. Refuses damage, frames that contradict each other, and other transfer
/// syntaxes than little endian without compression.
Attributes read_attributes(const Source& source, const ReadOptions& options);

}  // namespace crema::files::dicom
