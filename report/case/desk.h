// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crema/base/json.h"
#include "report/case/report.h"

namespace crema::report {

/// What the page needs to let somebody decide what raters dispute: the list, what the decisions are about,
/// and the header of the final mask. Null where decisions could not be applied again.
Json desk_json(const raters::Case& counted, const Findings& findings, const PageFacts& facts);

}  // namespace crema::report
