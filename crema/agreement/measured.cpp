// SPDX-License-Identifier: Apache-2.0
#include "crema/agreement/measured.h"

namespace crema {

std::string_view to_string(Undefined reason) {
  switch (reason) {
    case Undefined::both_empty:
      return "both masks are empty";
    case Undefined::first_empty:
      return "the first mask is empty";
    case Undefined::second_empty:
      return "the second mask is empty";
    case Undefined::nobody_drew:
      return "no rater marked anything";
    case Undefined::one_rater:
      return "there is only one rater";
    case Undefined::one_value:
      return "all raters gave every voxel of the region the same answer";
    case Undefined::oblique:
      return "the axes of the grid are not at right angles";
    case Undefined::no_parts:
      return "there is nothing to average over";
    case Undefined::no_criterion:
      return "the method minimises no distance to the raters";
    case Undefined::empty_consensus:
      return "the consensus is empty";
    case Undefined::not_requested:
      return "it was not requested";
    case Undefined::all_alike:
      return "the consensus equals each rater's mask";
    case Undefined::two_raters:
      return "an outlier needs at least three raters";
    case Undefined::tie:
      return "several raters lie equally far from the others";
    case Undefined::no_estimate:
      return "the method estimates no performance";
    case Undefined::empty_reference:
      return "the reference is empty";
    case Undefined::no_proof:
      return "nothing was proven";
    case Undefined::no_turn:
      return "no weight of this rater turns the decision";
    case Undefined::from_elsewhere:
      return "the consensus was read from a file, so there is no method to run";
    case Undefined::no_voxel_size:
      return "the files do not state the size of a voxel";
    case Undefined::in_millimetres:
      return "it is given in millimetres";
    case Undefined::flat_image:
      return "a 2-D image has areas, not volumes";
    case Undefined::solid_image:
      return "a 3-D image has volumes, not areas";
    case Undefined::no_overlap:
      return "no two raters have a voxel in common";
    case Undefined::no_levels:
      return "the raters gave masks, not levels";
  }
  return "";
}

}  // namespace crema
