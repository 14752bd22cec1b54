// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "crema/counts/tally.h"
#include "crema/image/image.h"
#include "crema/voxels/components.h"

namespace crema {

struct Options;
struct Reduction;
struct Solution;

/// Some voxels of a grid as runs in raster order, each as long as its image row allows. What is needed of
/// whole masks (their surfaces, parts and common voxels) costs a step per run in this form, not one per
/// voxel.
struct VoxelSet {
  std::vector<Run> runs;
  std::int64_t voxels = 0;

  friend bool operator==(const VoxelSet& a, const VoxelSet& b) {
    return std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                      [](const Run& u, const Run& v) { return u.first == v.first && u.length == v.length; });
  }
};

/// What each rater drew; the votes are not needed.
std::vector<VoxelSet> sets_of_raters(const Reduction& reduction);

/// The voxels that a consensus gives a level above 0.5. `options` are those it was solved with.
VoxelSet set_of_consensus(const Reduction& reduction, const Solution& solution, const Options& options);

/// The voxels with a level above 0.5.
/// Throws InputError when the image has another size than the grid.
VoxelSet set_of_image(const Grid& grid, const Image& image);
VoxelSet set_of_mask(const Grid& grid, Mask mask);

/// Makes a set of runs in any order that share no voxel.
VoxelSet make_set(const Grid& grid, std::vector<Run> runs);

/// How many voxels two sets have in common.
std::int64_t count_common(const VoxelSet& a, const VoxelSet& b);

/// The votes that a reduction came from, for the raters in `keep` alone, who are numbered anew in their
/// order. Throws InputError when that is nobody.
Votes rebuild_votes(const Reduction& reduction, Raters keep);

}  // namespace crema
