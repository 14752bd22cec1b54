// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "files/io/sentence.h"
#include "files/nrrd/geometry.h"
#include "files/nrrd/vectors.h"

namespace crema::files {

namespace {

bool is_spatial_kind(const std::string& kind) {
  return kind.empty() || kind == "???" || kind == "none" || kind == "domain" || kind == "space";
}

[[noreturn]] void refuse_axis(const NrrdHeader& header, std::size_t axis, const std::filesystem::path& path) {
  const std::string kind = header.kinds[axis].empty() ? "" : fmt::format(" of kind {}", header.kinds[axis]);
  refuse(path, "has {} samples along axis {}{}, so it is not a single mask; save one of them separately",
         header.sizes[axis], axis + 1, printable(kind));
}

}  // namespace

NrrdAxes nrrd_axes(const NrrdHeader& header, Layers layers, const std::filesystem::path& path) {
  NrrdAxes axes;
  const auto directions = nrrd_directions(header, path);
  for (std::size_t a = 0; a < header.sizes.size(); ++a) {
    const bool nowhere = !directions.empty() && !directions[a];
    if (is_spatial_kind(header.kinds[a]) && !nowhere) {
      axes.space.push_back(a);
    } else if (layers == Layers::allowed && a == 0) {
      axes.layers = header.sizes[a];
    } else if (header.sizes[a] != 1) {
      refuse_axis(header, a, path);
    }
  }
  while (axes.space.size() > 3 && header.sizes[axes.space.back()] == 1) axes.space.pop_back();
  if (axes.space.size() > 3) refuse_axis(header, axes.space.back(), path);
  if (axes.space.empty()) refuse(path, "has no axis in space; it is damaged: copy or save it again");
  return axes;
}

}  // namespace crema::files
