// SPDX-License-Identifier: Apache-2.0
#include "raters/open/region.h"

#include <algorithm>

#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/tables/settings.h"
#include "raters/open/segments.h"

namespace crema::raters {

void require_voxels(Mask region, const std::string& name) {
  if (std::find(region.begin(), region.end(), 1) == region.end())
    throw InputError(fmt::format("{}: the region is empty; it must hold at least one voxel.", name));
}

RegionMask read_region(const Settings& settings, const files::Header& reference) {
  if (settings.region_file.empty()) return {};
  const files::ReadOptions strict{
      .threshold_setting = "", .takes_label = false, .max_memory = settings.max_memory};
  const files::Header header = open_beside(settings.region_file, "", strict);
  const files::Placement placement = files::place(reference, header);
  files::MaskFile file = files::read_mask(header, strict);
  RegionMask region;
  append(region.warnings, header.warnings);
  append(region.warnings, placement.warnings);
  append(region.warnings, file.warnings);
  region.voxels = placement.identity
                      ? std::move(file.voxels)
                      : files::apply(placement, reference.grid, header.grid, std::move(file.voxels));
  require_voxels(region.voxels, files::printable(settings.region_file));
  return region;
}

}  // namespace crema::raters
