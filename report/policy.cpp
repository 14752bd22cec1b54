// SPDX-License-Identifier: Apache-2.0
#include "report/policy.h"

#include <fmt/format.h>

#include "plot/svg.h"

namespace crema::report {
namespace {

std::string letters_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return plot::svg::base64(bytes);
}

}  // namespace

std::string policy_for(std::string_view script_sha256, std::string_view also, Frames frames) {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'{}; worker-src blob:; style-src 'unsafe-inline'; img-src "
      "data:; "
      "{}base-uri 'none'; form-action 'none'",
      letters_of_hex(script_sha256), also, frames == Frames::beside ? "frame-src 'self' file:; " : "");
}

}  // namespace crema::report
