// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "crema/base/memory.h"
#include "files/io/sentence.h"
#include "files/io/source.h"
#include "files/io/system/machine.h"

namespace crema::files {

std::int64_t memory_limit(const ReadOptions& options) {
  if (options.max_memory > 0) return options.max_memory;
  return machine_memory() / 4 * 3;
}

void check_memory(const std::filesystem::path& path, double bytes, const ReadOptions& options) {
  const auto limit = static_cast<double>(memory_limit(options));
  if (bytes <= limit) return;
  constexpr double kMax = 9e18;  // a header may declare anything
  throw ResourceError(sentence(path, "needs {} of memory, but {} are allowed; crop it or raise {}",
                               megabytes(static_cast<std::int64_t>(std::min(bytes, kMax))),
                               megabytes(memory_limit(options)), Sentence::setting("max_memory")));
}

}  // namespace crema::files
