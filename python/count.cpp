// SPDX-License-Identifier: Apache-2.0
#include "python/count.h"

#include <optional>

#include "crema/agreement/warnings.h"
#include "crema/parallel.h"
#include "python/values.h"

namespace crema::python {
namespace {

void append(Warnings& to, const Warnings& more) { to.insert(to.end(), more.begin(), more.end()); }

/// The votes, and warnings on the values of masks that have a name.
Votes take_and_judge(const Masks& masks, Warnings& warnings) {
  ByteCensus census(masks.voxels.size(), masks.grid.voxels());
  Votes votes =
      take_votes(masks.grid.voxels(), masks.voxels, [&](std::size_t rater, Mask block, std::uint8_t bits) {
        if (!masks.names[rater].empty()) census.look_at(rater, block, bits);
      });
  for (std::size_t k = 0; k < masks.voxels.size(); ++k)
    if (!masks.names[k].empty())
      append(warnings, census.judge(k, masks.voxels[k], masks.names[k], masks.grid));
  return votes;
}

Warnings keep_inside(Votes& votes, const Region& region) {
  if (region.kind != Region::Kind::mask) return {};
  const std::int64_t lost = votes.keep_inside(region.mask);
  if (lost == 0) return {};
  return {std::to_string(lost) + " voxels that raters drew lie outside the region and count as outside."};
}

}  // namespace

Masks::Masks(const Grid& their_grid, const std::vector<Bytes>& borrowed, std::vector<std::string> their_names)
    : grid(their_grid), names(std::move(their_names)) {
  for (const Bytes& mask : borrowed) voxels.push_back(view(mask));
}

Counted count(const Masks& masks, Needs needs, const Options& options) {
  Counted counted;
  std::optional<Votes> votes;
  with_threads(options.threads, [&] { votes = take_and_judge(masks, counted.warnings); });
  append(counted.warnings, keep_inside(*votes, options.region));
  counted.reduction = std::make_shared<Reduction>(reduce(masks.grid, *votes, needs, options));
  if (needs == Needs::neighbours) counted.reduction->votes = std::make_shared<Votes>(std::move(*votes));
  append(counted.warnings, warnings_about_raters(*counted.reduction));
  return counted;
}

}  // namespace crema::python
