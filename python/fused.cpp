// SPDX-License-Identifier: Apache-2.0
#include "python/fused.h"

#include <algorithm>

#include "crema/error.h"

namespace crema::python {

Image image_of(const Borrowed<float>& levels, Kind kind) {
  const auto seen = view(levels);
  if (kind == Kind::soft) {
    SoftImage map(seen.size(), 0);
    std::copy(seen.begin(), seen.end(), map.begin());
    return map;
  }
  HardImage mask(seen.size(), 0);
  std::transform(seen.begin(), seen.end(), mask.begin(), [](float level) { return level > 0.5f ? 1 : 0; });
  return mask;
}

void require_counted(const Fused& fused, std::span<const Method* const> methods) {
  const Method& own = fused.outcome.method();
  for (const Method* method : methods)
    if (method != &own && (method->needs > fused.run->needs || method->needs == Needs::neighbours))
      throw UsageError(std::string(method->name) + " needs more than " + std::string(own.name) +
                       " counted; start from a result of jaccard, or fuse with " + std::string(method->name) +
                       ".");
}

}  // namespace crema::python
