// SPDX-License-Identifier: Apache-2.0
#include "crema/base/memory.h"

#include <fmt/format.h>

#include "crema/base/error.h"

namespace crema {

std::string megabytes(std::int64_t bytes) {
  constexpr double kUnit = 1024;
  double amount = static_cast<double>(bytes) / kUnit;
  std::string_view unit = "kB";
  for (const std::string_view larger : {"MB", "GB", "TB"})
    if (amount >= kUnit) {
      amount /= kUnit;
      unit = larger;
    }
  return fmt::format("{:.1f} {}", amount, unit);
}

void MemoryAccount::require(std::string_view stage, std::int64_t bytes, const Sentence& instead) const {
  if (allows(bytes)) return;
  const std::int64_t before = held_;
  throw ResourceError(fmt::format("{} needs about {}{}, but {} are allowed; {} or raise {}.", stage,
                                  megabytes(bytes),
                                  before > 0 ? fmt::format(" on top of {} in use", megabytes(before)) : "",
                                  megabytes(limit_), instead.marked(), Sentence::setting("max_memory")));
}

}  // namespace crema
