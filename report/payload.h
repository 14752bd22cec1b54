// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/report.h"

namespace crema::report {

/// The part of the image that is in the page: what somebody drew and a margin.
Box shown_box(const Reduction& reduction, bool image, const std::optional<Slices>& slices);

/// What the page's script reads: the tallies as JSON, and one number for each voxel of the box, deflated and
/// in letters.
struct Payload {
  std::string json;
  std::string voxels;   ///< the number of its row from 1 on through all components; 0: nobody drew it
  std::string grey;     ///< 0 to 255; empty: no image
  std::string painted;  ///< JSON: the levels of methods that are not constant on rows, by their names
};

Payload make_payload(const raters::Case& counted, const Findings& findings, const PageFacts& facts);

/// Deflated, as gzip has it, and in letters.
std::string packed(std::string_view bytes);

}  // namespace crema::report
