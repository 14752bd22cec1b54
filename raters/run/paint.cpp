// SPDX-License-Identifier: Apache-2.0
// What methods answer, as files hold it.
#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/memory.h"
#include "crema/labels/separate.h"
#include "raters/run/run.h"
#include "raters/run/stopwatch.h"
#include "raters/run/write.h"

namespace crema::raters {
namespace {

LabelImage join_layers(const LabelConsensus& consensus, std::size_t voxels) {
  LabelImage all(voxels * consensus.layers.size());
  for (std::size_t l = 0; l < consensus.layers.size(); ++l)
    for (std::size_t v = 0; v < voxels; ++v)
      if (const Label label = consensus.layers[l][v]; label != 0) all[l * voxels + v] = label;
  return all;
}

/// One label per voxel; where labels overlap, a segmentation with as many layers as that needs.
Image paint_labels(const Case& counted, LabelConsensus& consensus, const std::filesystem::path& path,
                   files::Header& reference) {
  if (!counted.counts.overlapping()) return files::label_image(path, std::move(consensus.image));
  if (!path.empty()) check_overlaps(counted, path);
  reference.channels = static_cast<std::int32_t>(consensus.layers.size());
  for (std::size_t s = 0; s < consensus.layer_of.size(); ++s)
    reference.segments[s].layer = static_cast<std::int64_t>(consensus.layer_of[s]);
  const auto voxels = static_cast<std::size_t>(counted.counts.grid().voxels());
  return files::label_image(path, join_layers(consensus, voxels));
}

Image paint_mask(const Case& counted, Outcome& outcome, Image canvas) {
  Solution& solution = outcome.structures.front();
  outcome.paintable = !solution.image && !outcome.threshold;
  Image image = paint(counted.reduction(0), solution, outcome.options, std::move(canvas));
  if (outcome.threshold) image = cut(std::move(image), *outcome.threshold, outcome.options.tie);
  return image;
}

}  // namespace

void check_overlaps(const Case& counted, const std::filesystem::path& image) {
  if (counted.counts.overlapping() && files::holds_levels(image))
    throw InputError(fmt::format("{}: segments overlap, which a label map cannot hold; write .seg.nrrd.",
                                 files::printable(image)));
}

Picture paint_outcome(const Case& counted, Outcome& outcome, const std::filesystem::path& path,
                      Image canvas) {
  const Stopwatch watch;
  Picture picture{.image = {}, .reference = counted.reference};
  picture.reference.consensus = true;
  picture.image = outcome.joint ? paint_labels(counted, *outcome.joint, path, picture.reference)
                                : paint_mask(counted, outcome, std::move(canvas));
  outcome.painting = watch.seconds();
  return picture;
}

void require_levels(const Case& counted) {
  const auto maps_and_file = 2 * static_cast<std::int64_t>(counted.structures() + 1);
  counted.options.memory->require(
      "the levels of all labels",
      maps_and_file * counted.counts.grid().voxels() * std::int64_t{sizeof(float)}, "choose fewer labels");
}

Picture paint_levels(const Case& counted, const Outcome& outcome) {
  require_levels(counted);
  files::Header reference = counted.reference;
  const Rest rest = counted.counts.of_levels() && !counted.counts.nested() ? Rest::first : Rest::leave;
  reference.channels = static_cast<std::int32_t>(counted.structures() + (rest == Rest::first ? 1 : 0));
  reference.segments.clear();
  return {level_maps(counted.counts, *outcome.joint, rest), std::move(reference)};
}

}  // namespace crema::raters
