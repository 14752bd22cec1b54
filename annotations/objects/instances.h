// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "annotations/shapes/shape.h"

/// Which objects of several annotators are the same one.
namespace crema::annotations {

/// By what two objects are compared: pixels of both among those of either, or among those of the smaller.
enum class Overlap : std::uint8_t { iou, smaller };

/// What becomes of the objects that are one: all of them are fused, or the one that is nearest to the mean
/// box stands for all, as in CVAT.
enum class Keep : std::uint8_t { all, nearest_box };

struct InstanceOptions {
  Overlap overlap = Overlap::iou;
  double threshold = 0.5;  ///< at least so much overlap makes two objects one
  int quorum = 0;  ///< so many annotators at least; 0: more than half of those who looked, in CVAT half
  Keep keep = Keep::all;
};

/// CVAT's own rule: an IoU of 0.4 of each two members, half of the annotators, and one annotator's object for
/// all.
InstanceOptions cvat_rule();

/// An object that was seen by an annotator, cut to the box of its pixels.
struct Seen {
  std::size_t annotator = 0;
  Patch mask;
  std::int64_t area = 0;
};

/// What one annotator drew as one object and another one as several.
struct Split {
  std::size_t whole = 0;            ///< of the objects
  std::vector<std::size_t> pieces;  ///< by one other annotator
};

struct Matching {
  std::vector<std::vector<std::size_t>> clusters;  ///< of objects; at most one of each annotator, in order
  std::vector<Split> splits;
};

std::int64_t common_pixels(const Patch& a, const Patch& b);

/// Matches the objects of each two annotators so that the overlaps sum up to the most, then joins pairs, the
/// best first, as long as nobody has two objects in one cluster; where one object stands for all, as CVAT
/// does: in the order of the annotators, who come one after the other in `objects`, and only what overlaps
/// enough with all members. At most 64 annotators.
Matching match_objects(const std::vector<Seen>& objects, const InstanceOptions& options);

/// Of a cluster the object that has the largest IoU with the mean of all boxes, filled; the first one of
/// equals.
std::size_t nearest_to_mean_box(const std::vector<Seen>& objects, const std::vector<std::size_t>& cluster);

/// Whether so many annotators of those who looked at a picture suffice.
bool suffices(std::size_t members, std::size_t looked, const InstanceOptions& options);

}  // namespace crema::annotations
