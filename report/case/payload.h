// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crema/image/grid.h"
#include "report/case/slices.h"

namespace crema {
struct Reduction;
}
namespace crema::raters {
struct Case;
}

namespace crema::report {

struct Findings;
struct PageFacts;

/// The part of the image that is in the page of one structure: what somebody drew and a margin; all of a 2-D
/// image.
Box shown_box(const Reduction& reduction, bool image, const std::optional<Slices>& slices);

/// What the page's script reads: the tallies as JSON, and one number for each voxel of the box.
struct Payload {
  std::string json;
  std::vector<std::uint8_t>
      voxels;  ///< the number of its row from 1 on through all components; 0: nobody drew it
  /// The levels of methods that are not constant on rows, by their names, and of raters who gave levels, as
  /// "#0", "#1" …; from 0 to 255.
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> painted;
};

Payload make_payload(const raters::Case& counted, const Findings& findings, const PageFacts& facts);

/// The box around the boxes of all structures that anybody drew.
Box box_of_all(const raters::Case& counted, const PageFacts& facts);

/// An image as steps from its lowest value on, so that the page can choose the window.
struct GreyPart {
  std::vector<std::uint8_t> planes;  ///< low bytes of all voxels first, then the high ones; empty: no image
  int bytes = 1;                     ///< of each voxel
  double low = 0, step = 1;
  std::array<double, 2> window{0, 1};  ///< black and white to begin with
};

/// The image on that box, once for all structures.
GreyPart grey_of_all(const raters::Case& counted, const PageFacts& facts);

}  // namespace crema::report
