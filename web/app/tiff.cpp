// SPDX-License-Identifier: Apache-2.0
// files/tiff/tiff.h where there is no libtiff: such files are known, and left to the program.
#include "files/tiff/tiff.h"

#include <array>
#include <stdexcept>
#include <string_view>

#include "files/io/sentence.h"

namespace crema::files {

bool tiff_recognises(const Start& start) {
  using namespace std::string_view_literals;
  const std::string_view text(reinterpret_cast<const char*>(start.bytes.data()), start.bytes.size());
  constexpr std::array signs{"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
  for (const std::string_view sign : signs)
    if (text.starts_with(sign)) return true;
  return false;
}

Header tiff_read_header(const Source& source, const ReadOptions& /*options*/) {
  refuse(source.path(), "is a TIFF image, which this page cannot read; use the program: crema fuse");
}

std::vector<Header> tiff_read_headers(const Source& source, const ReadOptions& options) {
  return {tiff_read_header(source, options)};
}

Checked tiff_read_mask(const Header& /*header*/, const ReadOptions& /*options*/, const MaskSink& /*sink*/) {
  throw std::logic_error("the page reads no TIFF");
}

MapFile tiff_read_map(const Header& /*header*/, const ReadOptions& /*options*/) {
  throw std::logic_error("the page reads no TIFF");
}

Encoded tiff_encode(const std::filesystem::path& /*path*/, const Image& /*image*/,
                    const Header& /*reference*/) {
  throw std::logic_error("the page writes NIfTI alone");
}

}  // namespace crema::files
