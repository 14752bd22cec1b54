// SPDX-License-Identifier: Apache-2.0
// Apart from what is done with decisions: in a browser it is the page that knows the sums of its files.
#include <fmt/format.h>

#include "crema/base/error.h"
#include "crema/base/text.h"
#include "raters/open/facts.h"
#include "raters/run/adjudicate.h"

namespace crema::raters {

void check_inputs(const Decisions& decisions, const std::vector<std::filesystem::path>& raters) {
  const std::vector<InputFact> given = checksums(raters);
  if (given.size() != decisions.inputs.size())
    throw InputError(fmt::format("the decisions are of {}, but {} {} given; give the raters of the page",
                                 crema::counted(decisions.inputs.size(), "file"), given.size(),
                                 given.size() == 1 ? "is" : "are"));
  for (std::size_t i = 0; i < given.size(); ++i) {
    const DecidedInput& decided = decisions.inputs[i];
    if (given[i].sha256 == decided.sha256) continue;
    throw InputError(fmt::format(
        "{}: has SHA-256 {}…, but the decisions are of {} with {}…; give the same raters in the same order",
        printable(given[i].path), given[i].sha256.substr(0, 12), printable(decided.name),
        decided.sha256.substr(0, 12)));
  }
}

}  // namespace crema::raters
