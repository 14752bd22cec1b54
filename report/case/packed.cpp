// SPDX-License-Identifier: Apache-2.0
#include "report/case/packed.h"

#include <vector>

#include "files/io/gzip/gzip.h"
#include "plot/svg.h"

namespace crema::report {

std::string packed(std::span<const std::uint8_t> bytes) {
  const std::vector<std::uint8_t> small = files::gzip_small(bytes);
  return plot::svg::base64({reinterpret_cast<const char*>(small.data()), small.size()});
}

std::string packed(std::string_view text) {
  return packed(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

}  // namespace crema::report
