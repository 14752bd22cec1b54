// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"

namespace crema::report {

/// The part of the image that is in the page: what somebody drew and a margin.
Box shown_box(const Reduction& reduction, bool image, const std::optional<Slices>& slices);

/// What the page's script reads: the tallies as JSON, and one number for each voxel of the box.
struct Payload {
  std::string json;
  std::vector<std::uint8_t>
      voxels;  ///< the number of its row from 1 on through all components; 0: nobody drew it
  std::vector<std::uint8_t> grey;  ///< 0 to 255; empty: no image
  /// The levels of methods that are not constant on rows, by their names, from 0 to 255.
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> painted;
};

Payload make_payload(const raters::Case& counted, const Findings& findings, const PageFacts& facts);

}  // namespace crema::report
