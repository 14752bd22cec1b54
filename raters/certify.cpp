// SPDX-License-Identifier: Apache-2.0
#include "raters/certify.h"

#include <fmt/format.h>

#include "crema/error.h"

namespace crema::raters {
ConsensusFile open_consensus(const std::filesystem::path& path, const files::Header& reference,
                             const Settings& settings) {
  ConsensusFile file{files::read_header(path, {.max_memory = settings.max_memory}), {}, {}};
  file.placement = files::place(reference, file.header);
  append(file.warnings, file.header.warnings);
  append(file.warnings, file.placement.warnings);
  return file;
}

Distance usual_distance(const ConsensusFile& file, const Settings& settings) {
  const files::ReadOptions strict{.max_memory = settings.max_memory};
  try {
    files::stream_mask(file.header, strict, [](std::int64_t, Mask) {});
  } catch (const InputError&) {
    try {
      files::read_map(file.header, strict);
      return Distance::soergel;
    } catch (const InputError&) {  // neither: the refusal of a mask says more
      return Distance::jaccard;
    }
  }
  return Distance::jaccard;
}

std::vector<float> read_consensus(ConsensusFile& file, const Grid& grid, Distance distance,
                                  const Settings& settings) {
  const files::ReadOptions strict{.max_memory = settings.max_memory};
  if (is_hard(distance)) {
    files::MaskFile mask = files::read_mask(file.header, strict);
    append(file.warnings, mask.warnings);
    const auto placed = files::apply(file.placement, grid, file.header.grid, std::move(mask.voxels));
    return {placed.begin(), placed.end()};
  }
  files::MapFile map = files::read_map(file.header, strict);
  append(file.warnings, map.warnings);
  return files::apply(file.placement, grid, file.header.grid, std::move(map.levels));
}

MapCertificate certify(const Case& counted, std::span<const float> levels, const std::string& name,
                       Distance distance, Warnings& warnings) {
  MapCertificate certificate = certify_map(*counted.reduction, levels, distance, counted.options);
  const bool one = certificate.outside == 1;
  if (certificate.outside > 0)
    warnings.push_back(
        fmt::format("{}: {} of its voxels lie{} outside everything the raters drew; no criterion sees {}.",
                    name, certificate.outside, one ? "s" : "", one ? "it" : "them"));
  return certificate;
}

void check_certify(const Settings& settings) {
  if (settings.search_weights)
    throw UsageError(
        fmt::format("{}: weights are found for a consensus that is yet to be made; give one "
                    "number per rater, or leave them out.",
                    Sentence::setting("weights", "auto")));
}

}  // namespace crema::raters
