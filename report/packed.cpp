// SPDX-License-Identifier: Apache-2.0
#include "report/packed.h"

#include <vector>

#include "files/io/gzip.h"
#include "plot/svg.h"

namespace crema::report {

std::string packed(std::span<const std::uint8_t> bytes) {
  const files::Piece piece(bytes);
  const std::vector<std::uint8_t> small = files::gzip({&piece, 1});
  return plot::svg::base64({reinterpret_cast<const char*>(small.data()), small.size()});
}

}  // namespace crema::report
