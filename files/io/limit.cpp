// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "files/io/sentence.h"
#include "files/io/source.h"

namespace crema::files {

std::int64_t memory_limit(const ReadOptions& options) {
  if (options.max_memory > 0) return options.max_memory;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return INT64_MAX;
  return static_cast<std::int64_t>(pages) * page / 4 * 3;
}

void check_memory(const std::filesystem::path& path, double bytes, const ReadOptions& options) {
  const auto limit = static_cast<double>(memory_limit(options));
  if (bytes <= limit) return;
  throw ResourceError(sentence(path, "needs {} of memory, but {} are allowed; crop it or raise {}",
                               bytes_text(bytes), bytes_text(limit), Sentence::setting("max_memory")));
}

}  // namespace crema::files
