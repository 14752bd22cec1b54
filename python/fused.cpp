// SPDX-License-Identifier: Apache-2.0
#include "python/fused.h"

#include "crema/base/error.h"

namespace crema::python {

Solution Fused::solution(std::size_t s) const {
  Solution solution = raters::solution_of(run->counted, outcome, s);
  // What a method painted itself went to where Python sees it.
  if (image && (outcome.method().needs == Needs::neighbours || reduction(s).levels)) solution.image = image;
  return solution;
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
