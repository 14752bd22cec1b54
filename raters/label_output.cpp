// SPDX-License-Identifier: Apache-2.0
#include "raters/label_output.h"

#include "crema/labels/separate.h"

namespace crema::raters {
namespace {

LabelImage join_layers(const LabelConsensus& consensus, std::size_t voxels) {
  LabelImage all(voxels * consensus.layers.size());
  for (std::size_t l = 0; l < consensus.layers.size(); ++l)
    for (std::size_t v = 0; v < voxels; ++v)
      if (const Label label = consensus.layers[l][v]; label != 0) all[l * voxels + v] = label;
  return all;
}

}  // namespace

LabelPicture label_picture(const LabelCase& counted, LabelConsensus& consensus,
                           const std::filesystem::path& path) {
  files::Header reference = counted.reference;
  reference.consensus = true;
  if (!counted.counts.maps->overlapping)
    return {files::label_image(path, std::move(consensus.image)), std::move(reference)};
  reference.channels = static_cast<std::int32_t>(consensus.layers.size());
  for (std::size_t s = 0; s < consensus.layer_of.size(); ++s)
    reference.segments[s].layer = static_cast<std::int64_t>(consensus.layer_of[s]);
  const auto voxels = static_cast<std::size_t>(counted.counts.grid().voxels());
  return {files::label_image(path, join_layers(consensus, voxels)), std::move(reference)};
}

void require_levels(const LabelCase& counted) {
  const auto maps_and_file = 2 * static_cast<std::int64_t>(counted.counts.structures.size() + 1);
  counted.options.memory->require(
      "the levels of all labels",
      maps_and_file * counted.counts.grid().voxels() * std::int64_t{sizeof(float)}, "choose fewer labels");
}

LabelPicture levels_picture(const LabelCase& counted, const LabelConsensus& consensus) {
  require_levels(counted);
  files::Header reference = counted.reference;
  reference.channels = static_cast<std::int32_t>(counted.counts.structures.size());
  reference.segments.clear();
  return {level_maps(counted.counts, consensus, Rest::leave), std::move(reference)};
}

}  // namespace crema::raters
