// SPDX-License-Identifier: Apache-2.0
#include "files/numpy/npy.h"

#include "files/numpy/npy_array.h"

namespace crema::files {

bool npy_recognises(const Start& start) { return !start.compressed && looks_like_npy(start.bytes); }

Header npy_read_header(const Source& source, const ReadOptions& options) {
  NpyArray array;
  array.section = {0, -1, Packing::none};
  array.bytes = source.size();
  array.header = parse_npy(source.start(kNpyLongestHeader), source.path());
  return array_header(std::move(array), Format::npy, source, options);
}

}  // namespace crema::files
