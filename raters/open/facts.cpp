// SPDX-License-Identifier: Apache-2.0
#include "raters/open/facts.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>

#include "files/io/checksum.h"
#include "files/plan.h"

namespace crema::raters {

std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

std::vector<InputFact> checksums(const std::vector<std::filesystem::path>& inputs) {
  std::vector<InputFact> facts;
  for (const std::filesystem::path& input : inputs)
    for (const std::filesystem::path& part : files::parts_of(input))
      facts.push_back({part.string(), files::sha256_of(part)});
  return facts;
}

}  // namespace crema::raters
