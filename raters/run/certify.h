// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crema/agreement/confidence/certify_map.h"
#include "raters/run/run.h"

namespace crema::raters {

/// A consensus from anywhere beside the raters.
struct ConsensusFile {
  files::Header header;
  files::Placement placement;
  Warnings warnings;
  Distance distance = Distance::jaccard;  ///< a mask where it compares masks, a map otherwise
  std::vector<float> levels = {};         ///< on the raters' grid once it is read; of a mask or a map
  std::vector<float> classes = {};        ///< levels of classes, channel after channel on the file's own grid
  std::vector<Label> labels = {};         ///< of a label map
};

/// Reads its header alone. Throws InputError when it does not lie on the raters' grid.
ConsensusFile open_consensus(const std::filesystem::path& path, const files::Header& reference,
                             const Settings& settings);

/// Reads its voxels. Without a distance it is jaccard where the file holds a mask or labels, soergel where it
/// holds levels. What reading has to say is added to its warnings.
void read_consensus(ConsensusFile& file, const Grid& grid, std::optional<Distance> distance,
                    const Settings& settings);

/// What the consensus gives one structure of the case. Throws InputError where classes are others than the
/// raters'.
std::vector<float> levels_of(const ConsensusFile& file, const Case& counted, std::size_t s);

/// Certifies levels of one structure on the raters' grid; warns of what no criterion sees. `name` is whose
/// levels they are.
MapCertificate certify(const Case& counted, std::size_t s, std::span<const float> levels,
                       const std::string& name, Distance distance, Warnings& warnings);

/// Throws UsageError on what is invalid for a consensus that is there already.
void check_certify(const Settings& settings, const std::optional<Distance>& distance);

}  // namespace crema::raters
