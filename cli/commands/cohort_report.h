// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cohort/one_case.h"

namespace crema::cli {

/// The page that `crema report` would make of a case of a cohort; its command says how. The same wherever
/// data and results lie.
std::string case_report(const cohort::CaseMaterial& material);

}  // namespace crema::cli
