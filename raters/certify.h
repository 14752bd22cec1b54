// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/certify_map.h"
#include "raters/run.h"

namespace crema::raters {

/// A consensus from anywhere beside the raters; no voxel has been read yet.
struct ConsensusFile {
  files::Header header;
  files::Placement placement;
  Warnings warnings;
};

/// Throws InputError when it does not lie on the raters' grid.
ConsensusFile open_consensus(const std::filesystem::path& path, const files::Header& reference,
                             const Settings& settings);

/// jaccard where the file holds a mask, soergel where it holds levels.
Distance usual_distance(const ConsensusFile& file, const Settings& settings);

/// The consensus on the raters' grid: a mask where the distance compares masks, a map otherwise. What reading
/// has to say is added to its warnings.
std::vector<float> read_consensus(ConsensusFile& file, const Grid& grid, Distance distance,
                                  const Settings& settings);

/// Certifies levels on the raters' grid; adds to the warnings what no criterion sees. `name` is whose levels
/// they are.
MapCertificate certify(const Case& counted, std::span<const float> levels, const std::string& name,
                       Distance distance, Warnings& warnings);

/// Throws UsageError on what makes no sense for a consensus that is there already.
void check_certify(const Settings& settings);

}  // namespace crema::raters
