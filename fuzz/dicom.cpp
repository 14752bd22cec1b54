// SPDX-License-Identifier: Apache-2.0
// The bytes are a DICOM file. Labels are read besides, since each segment is a layer of them, on a grid of
// their own, on which outlines can be drawn.
#include <memory>

#include "fuzz/fuzz.h"

namespace {

void read_layers(const fuzz::fs::path& path) {
  auto like = std::make_shared<crema::files::Header>();
  like->path = path;
  like->grid.size = {9, 7, 3};
  const crema::files::ReadOptions plain{.max_memory = fuzz::kMemory, .like = like};
  for (const crema::files::Header& header : crema::files::read_headers(path, plain)) {
    crema::files::ReadOptions options = plain;
    options.layer = header.segments.empty() ? 0 : header.segments.back().layer;
    std::int64_t end = 0;
    fuzz::expecting_errors([&] {
      crema::files::stream_labels(header, options, [&](std::int64_t first, auto part) {
        fuzz::promise(first >= end, "labels that do not follow each other");
        end = first + static_cast<std::int64_t>(part.size());
        fuzz::promise(end <= header.grid.voxels(), "labels beyond the grid");
      });
    });
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::folder().put("x.dcm", {data, size});
  fuzz::read_everything(path);
  fuzz::expecting_errors([&] { read_layers(path); });
  return 0;
}
