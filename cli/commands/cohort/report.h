// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cohort/run/one_case.h"
#include "cohort/run/run_folder.h"

namespace crema::cli {

/// The page that `crema report` would make of a case of a cohort; its command says how. The same wherever
/// data and results lie.
std::string case_report(const cohort::CaseMaterial& material);

/// What the pages of a run share to fuse again, where this program has it.
void write_engine(const cohort::RunFolder& folder, const std::filesystem::path& work);

/// The most disputed slice of the structure that raters of a case dispute most.
cohort::Thumbnail case_thumbnail(const raters::Case& counted, const std::vector<raters::Outcome>& outcomes);

}  // namespace crema::cli
